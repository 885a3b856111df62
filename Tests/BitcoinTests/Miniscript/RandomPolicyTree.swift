import TestSupport

@testable import Bitcoin

/// Random policies as people write them: keys, locks and preimages, in alternatives and thresholds of each other. They have
/// more spending paths than those of `RandomMiniscript`, and fewer shapes.
struct RandomPolicyTree {
    typealias Expression = RandomMiniscript.Expression

    private var generator: SeededGenerator
    private static let depth = 3

    init(_ generator: SeededGenerator) { self.generator = generator }

    /// A policy that is safe and has several paths, few enough to list them.
    mutating func next() -> (expression: Expression, paths: [SpendingPath<Int>]) {
        while true {
            guard let unnumbered = policy(Self.depth), unnumbered.keys.count <= RandomMiniscript.mostKeys else {
                continue
            }
            let expression = unnumbered.numbered.mapKeys(\.number)
            let paths = SpendingPolicy(expression).paths ?? []
            if paths.count > 1, expression.fault(comparing: { $0 }) == nil { return (expression, paths) }
        }
    }

    /// `nil` where the parts that came up do not fit together.
    private mutating func policy(_ depth: Int) -> Expression? {
        guard depth > 0 else { return made(.pkK(0)).flatMap { made(.wrapped(.check, $0)) } }
        switch generator.next(below: 8) {
        case 0:
            let count = 1 + generator.next(below: 4)
            return made(.multi(1 + generator.next(below: count), [Int](repeating: 0, count: count)))
        case 1: return condition(depth)
        case 2: return pair(depth).flatMap { made(.orI($0, $1)) }
        case 3: return pair(depth).flatMap { made(.orD($0, $1)) }
        case 4:
            guard let (first, second) = pair(depth), let third = condition(depth) else { return nil }
            return made(.andOr(first, third, second))
        case 5: return threshold(depth)
        default: return policy(0)
        }
    }

    private mutating func pair(_ depth: Int) -> (Expression, Expression)? {
        guard let first = policy(depth - 1), let second = policy(depth - 1) else { return nil }
        return (first, second)
    }

    /// A policy, and beside it a lock, a preimage or another policy.
    private mutating func condition(_ depth: Int) -> Expression? {
        let other: Expression? =
            switch generator.next(below: 4) {
            case 0: made(.older(pick(RandomMiniscript.relativeLocks)))
            case 1: made(.after(pick(RandomMiniscript.absoluteLocks)))
            case 2: preimage()
            default: policy(depth - 1)
            }
        guard let first = policy(depth - 1).flatMap({ made(.wrapped(.verify, $0)) }), let other else { return nil }
        return made(.andV(first, other))
    }

    private mutating func preimage() -> Expression? {
        let function = pick(PreimageHash.allCases)
        let number = UInt8(generator.next(below: Int(RandomMiniscript.preimageCount)))
        return made(.hash(function, function.hash(RandomMiniscript.preimage(number))))
    }

    private mutating func threshold(_ depth: Int) -> Expression? {
        let count = 2 + generator.next(below: 3)
        var parts: [Expression] = []
        for place in 0..<count {
            guard let part = policy(depth - 1) else { return nil }
            if place == 0 {
                parts.append(part)
            } else if let wrapped = made(.wrapped(.alternateStack, part)) {
                parts.append(wrapped)
            }
        }
        return made(.threshold(1 + generator.next(below: count), parts))
    }

    private mutating func pick<Element>(_ elements: [Element]) -> Element {
        elements[generator.next(below: elements.count)]
    }

    private func made(_ fragment: Expression.Fragment) -> Expression? { try? Expression(fragment, in: .p2wsh) }
}
