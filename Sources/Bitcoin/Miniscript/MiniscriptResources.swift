/// What it takes at most to execute a script and to satisfy it.
///
/// Spec: BIP-379, "Resource limitations"; Bitcoin Core, `CalcOps`, `CalcStackSize`, `CalcWitnessSize`, `CalcScriptLen`.
struct MiniscriptResources: Hashable, Sendable {
    /// The script's length in bytes.
    let scriptLength: Int
    /// The operations that are in the script, without pushes.
    let operations: Int
    /// What satisfying takes; `nil` if it cannot be satisfied.
    let satisfaction: MiniscriptCost?
    /// What dissatisfying takes; `nil` if it cannot be dissatisfied without being malleable.
    let dissatisfaction: MiniscriptCost?
    private let satisfiedStack: MiniscriptStack?
    private let dissatisfiedStack: MiniscriptStack?

    /// What an expression takes whose parts are known.
    init<Key>(of fragment: Miniscript<Key>.Fragment, in context: MiniscriptContext) {
        var (length, operations) = (fragment.ownLength(in: context), fragment.ownOperations)
        fragment.forEachPart { part in
            length += part.resources.scriptLength
            operations += part.resources.operations
        }
        (scriptLength, self.operations) = (length, operations)
        (satisfaction, dissatisfaction) = Self.costs(fragment, context)
        (satisfiedStack, dissatisfiedStack) = fragment.stackUse
    }

    /// What the script does to the stack.
    var stack: (satisfied: MiniscriptStack?, dissatisfied: MiniscriptStack?) { (satisfiedStack, dissatisfiedStack) }

    private typealias Costs = (MiniscriptCost?, MiniscriptCost?)

    private static func costs<Key>(_ fragment: Miniscript<Key>.Fragment, _ context: MiniscriptContext) -> Costs {
        switch fragment {
        case .zero: (nil, .nothing)
        case .one, .older, .after: (.nothing, nil)
        case .pkK: (.signature(context), .empty)
        case .pkH: (.signature(context) + .key(context), .empty + .key(context))
        // Any 32 bytes dissatisfy it: others could replace them.
        case .hash: (.preimage, nil)
        case .multi(let threshold, let keys): multi(threshold, keys.count, context)
        case .multiA(let threshold, let keys): multiA(threshold, keys.count, context)
        case .threshold(let threshold, let parts):
            MiniscriptCost?.choosing(
                threshold, of: parts.map { ($0.resources.satisfaction, $0.resources.dissatisfaction) })
        case .wrapped(let wrapper, let x): wrapped(wrapper, x.resources)
        case .andOr(let x, let y, let z): andOr(x.resources, y.resources, z.resources)
        case .andV(let x, let y): (x.resources.satisfaction + y.resources.satisfaction, nil)
        case .andB(let x, let y):
            (
                x.resources.satisfaction + y.resources.satisfaction,
                x.resources.dissatisfaction + y.resources.dissatisfaction
            )
        case .orB(let x, let y), .orC(let x, let y), .orD(let x, let y), .orI(let x, let y):
            or(fragment, x.resources, y.resources)
        }
    }

    private static func multi(_ threshold: Int, _ count: Int, _ context: MiniscriptContext) -> Costs {
        let checks = MiniscriptCost(operations: count)
        return (checks + .empty + threshold * .signature(context), checks + (threshold + 1) * .empty)
    }

    private static func multiA(_ threshold: Int, _ count: Int, _ context: MiniscriptContext) -> Costs {
        (threshold * .signature(context) + (count - threshold) * .empty, count * .empty)
    }

    private static func wrapped(_ wrapper: MiniscriptWrapper, _ x: Self) -> Costs {
        switch wrapper {
        case .alternateStack, .swap, .check, .zeroNotEqual: (x.satisfaction, x.dissatisfaction)
        case .verify: (x.satisfaction, nil)
        case .duplicateIf: (x.satisfaction + .one, .empty)
        case .nonzeroIf: (x.satisfaction, .empty)
        }
    }

    private static func andOr(_ x: Self, _ y: Self, _ z: Self) -> Costs {
        (
            (x.satisfaction + y.satisfaction) | (x.dissatisfaction + z.satisfaction),
            x.dissatisfaction + z.dissatisfaction
        )
    }

    private static func or<Key>(_ fragment: Miniscript<Key>.Fragment, _ x: Self, _ y: Self) -> Costs {
        switch fragment {
        case .orB:
            (
                (x.dissatisfaction + y.satisfaction) | (x.satisfaction + y.dissatisfaction),
                x.dissatisfaction + y.dissatisfaction
            )
        case .orC: (x.satisfaction | (x.dissatisfaction + y.satisfaction), nil)
        case .orD:
            (x.satisfaction | (x.dissatisfaction + y.satisfaction), x.dissatisfaction + y.dissatisfaction)
        default:
            (
                (x.satisfaction + .one) | (y.satisfaction + .empty),
                (x.dissatisfaction + .one) | (y.dissatisfaction + .empty)
            )
        }
    }
}

extension Miniscript.Fragment {
    /// The bytes of the script that are not its parts'.
    func ownLength(in context: MiniscriptContext) -> Int {
        switch self {
        case .zero, .one: 1
        case .pkK: 1 + context.keyLength
        case .pkH: 24
        case .older(let number), .after(let number): Self.pushLength(number) + 1
        case .hash(let function, _): 7 + function.length
        case .andV: 0
        case .andB, .orB: 1
        case .orC: 2
        case .andOr, .orD, .orI: 3
        case .threshold(let threshold, let parts): parts.count + Self.pushLength(UInt32(threshold))
        case .multi(let threshold, let keys):
            1 + keys.count * (1 + context.keyLength) + Self.pushLength(UInt32(threshold))
                + Self.pushLength(UInt32(keys.count))
        case .multiA(let threshold, let keys):
            1 + keys.count * (2 + context.keyLength) + Self.pushLength(UInt32(threshold))
        case .wrapped(let wrapper, let x):
            switch wrapper {
            case .alternateStack: 2
            case .swap, .check, .zeroNotEqual: 1
            case .duplicateIf: 3
            case .nonzeroIf: 4
            case .verify: x.type.contains(.expensiveVerify) ? 1 : 0
            }
        }
    }

    private static func pushLength(_ number: UInt32) -> Int {
        number <= 16 ? 1 : 1 + ScriptNumber.encode(Int64(number)).count
    }

    /// The operations that are not its parts'.
    fileprivate var ownOperations: Int {
        switch self {
        case .zero, .one, .pkK, .andV: 0
        case .older, .after, .andB, .orB, .multi: 1
        case .orC: 2
        case .multiA(_, let keys): keys.count + 1
        case .pkH, .andOr, .orD, .orI: 3
        case .hash: 4
        case .threshold(_, let parts): parts.count
        case .wrapped(let wrapper, let x):
            switch wrapper {
            case .swap, .check, .zeroNotEqual: 1
            case .alternateStack: 2
            case .duplicateIf: 3
            case .nonzeroIf: 4
            case .verify: x.type.contains(.expensiveVerify) ? 1 : 0
            }
        }
    }
}
