import TestSupport

@testable import Bitcoin

/// Random expressions of every shape that fits together, put together from the small to the large.
struct RandomMiniscript {
    /// Keys are numbers from 0, each once in an expression; hashes are those of `preimage(_:)`.
    typealias Expression = Miniscript<Int>

    private let context: MiniscriptContext
    private var generator: SeededGenerator
    private var pool: [Expression] = []
    private static let poolSize = 400
    /// Of the largest expression.
    static let mostKeys = 12
    /// A key for each number of an expression's keys.
    static let keys = (1...mostKeys).map { number -> PrivateKey in
        guard let key = try? PrivateKey(SecretBytes([UInt8](repeating: UInt8(number), count: 32))) else {
            preconditionFailure("a small number is a key")
        }
        return key
    }

    init(_ generator: SeededGenerator, in context: MiniscriptContext = .p2wsh) {
        (self.generator, self.context) = (generator, context)
    }

    /// The preimage with a number.
    static func preimage(_ number: UInt8) -> [UInt8] { [UInt8](repeating: number, count: 32) }
    static let preimageCount: UInt8 = 4
    /// Low enough for locks to be met and missed alike.
    static let relativeLocks: [UInt32] = [1, 16, 17, 144, TimeLock.typeFlag | 5, TimeLock.typeFlag | 300]
    static let absoluteLocks: [UInt32] = [1, 100, 240, 500_000_001, 1_700_000_000]

    /// Some expression of kind B.
    mutating func next() -> Expression {
        while true {
            guard let expression = attempt() else { continue }
            pool.append(expression)
            if pool.count > Self.poolSize { pool.remove(at: generator.next(below: Self.poolSize / 2)) }
            if expression.type.contains(.base), !expression.keys.isEmpty { return Self.numbered(expression) }
        }
    }

    private static func numbered(_ expression: Expression) -> Expression { expression.numbered.mapKeys(\.number) }

    private mutating func part() -> Expression? {
        pool.isEmpty ? nil : pool[generator.next(below: pool.count)]
    }

    private mutating func parts(_ count: Int) -> [Expression]? {
        let parts = (0..<count).compactMap { _ in part() }
        return parts.count == count ? parts : nil
    }

    private mutating func attempt() -> Expression? {
        guard let fragment = generator.next(below: 3) == 0 ? leaf() : tree(),
            let expression = try? Expression(fragment, in: context),
            expression.keys.count <= Self.mostKeys
        else { return nil }
        return expression
    }

    private mutating func leaf() -> Expression.Fragment? {
        switch generator.next(below: 10) {
        case 0: return .zero
        case 1: return .one
        case 2: return .older(Self.relativeLocks[generator.next(below: Self.relativeLocks.count)])
        case 3: return .after(Self.absoluteLocks[generator.next(below: Self.absoluteLocks.count)])
        case 4:
            let function = PreimageHash.allCases[generator.next(below: PreimageHash.allCases.count)]
            let preimage = Self.preimage(UInt8(generator.next(below: Int(Self.preimageCount))))
            return .hash(function, function.hash(preimage))
        case 5:
            let count = 1 + generator.next(below: 4)
            let (threshold, keys) = (1 + generator.next(below: count), [Int](repeating: 0, count: count))
            return context == .tapscript ? .multiA(threshold, keys) : .multi(threshold, keys)
        case 6: return .pkH(0)
        default: return .pkK(0)
        }
    }

    private mutating func tree() -> Expression.Fragment? {
        switch generator.next(below: 16) {
        case 0: return parts(3).map { .andOr($0[0], $0[1], $0[2]) }
        case 1, 2: return parts(2).map { .andV($0[0], $0[1]) }
        case 3: return parts(2).map { .andB($0[0], $0[1]) }
        case 4: return parts(2).map { .orB($0[0], $0[1]) }
        case 5: return parts(2).map { .orC($0[0], $0[1]) }
        case 6: return parts(2).map { .orD($0[0], $0[1]) }
        case 7: return parts(2).map { .orI($0[0], $0[1]) }
        case 8:
            let count = 1 + generator.next(below: 4)
            let threshold = 1 + generator.next(below: count)
            // Any part but the first has to be W.
            let others = pool.filter { $0.type.contains([.wrapped, .dissatisfiable, .unit]) }
            guard let first = part(), !others.isEmpty else { return nil }
            let rest = (1..<count).map { _ in others[generator.next(below: others.count)] }
            return .threshold(threshold, [first] + rest)
        default:
            let wrapper = MiniscriptWrapper.allCases[generator.next(below: MiniscriptWrapper.allCases.count)]
            return part().map { .wrapped(wrapper, $0) }
        }
    }
}

extension SeededGenerator {
    mutating func next(below bound: Int) -> Int { Int.random(in: 0..<bound, using: &self) }
}
