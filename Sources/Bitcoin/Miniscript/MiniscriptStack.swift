/// How many items a script takes from the stack, and how many are on it at most meanwhile, compared to how many it leaves.
///
/// Spec: BIP-379, "Resource limitations"; BIP-342 for the limit; Bitcoin Core, `SatInfo`.
struct MiniscriptStack: MiniscriptSum, Hashable, Sendable {
    /// How many more there are before it than after it; negative if it adds some.
    let taken: Int
    /// How many more there are at some moment than after it.
    let peak: Int

    static let nothing = Self(taken: 0, peak: 0)
    /// A push, or a copy.
    static let push = Self(taken: -1, peak: 0)
    /// An operation that takes one item more than it leaves.
    static let pop = Self(taken: 1, peak: 1)
    /// DUP, HASH160, a push, and EQUALVERIFY.
    static let keyHash = push + push + pop + pop
    /// SIZE, a push, EQUALVERIFY, a function, a push, and EQUAL.
    static let preimage = push + push + pop + pop + push + pop
    /// DUP or SIZE, and IF.
    static let copyIf = push + pop
    /// A push, and EQUAL.
    static let equals = push + pop

    static func + (one: Self, other: Self) -> Self {
        Self(taken: one.taken + other.taken, peak: max(other.peak, other.taken + one.peak))
    }

    func most(_ other: Self) -> Self { Self(taken: max(taken, other.taken), peak: max(peak, other.peak)) }
}

extension Miniscript.Fragment {
    typealias StackUse = (satisfied: MiniscriptStack?, dissatisfied: MiniscriptStack?)

    /// What the script does to the stack when it is satisfied, and when it is dissatisfied.
    var stackUse: StackUse {
        switch self {
        case .zero: (nil, .push)
        case .one, .older, .after: (.push, nil)
        case .pkK: (.push, .push)
        case .pkH: (.keyHash, .keyHash)
        case .hash: (.preimage, nil)
        case .multi(let threshold, let keys):
            // The threshold's signatures and an empty item, and then the keys and two numbers.
            Self.both(MiniscriptStack(taken: threshold, peak: threshold + keys.count + 2))
        case .multiA(_, let keys): Self.both(MiniscriptStack(taken: keys.count - 1, peak: keys.count))
        case .threshold(let threshold, let parts): Self.threshold(threshold, parts)
        case .wrapped(let wrapper, let x): Self.wrapped(wrapper, x.resources.stack)
        case .andV(let x, let y): (x.resources.stack.satisfied + y.resources.stack.satisfied, nil)
        case .andB(let x, let y): Self.andB(x.resources.stack, y.resources.stack)
        case .orB(let x, let y): Self.orB(x.resources.stack, y.resources.stack)
        case .orC(let x, let y): Self.orC(x.resources.stack, y.resources.stack)
        case .orD(let x, let y): Self.orD(x.resources.stack, y.resources.stack)
        case .orI(let x, let y): Self.orI(x.resources.stack, y.resources.stack)
        case .andOr(let x, let y, let z): Self.andOr(x.resources.stack, y.resources.stack, z.resources.stack)
        }
    }

    private static func both(_ stack: MiniscriptStack) -> StackUse { (stack, stack) }

    private static func threshold(_ threshold: Int, _ parts: [Miniscript<Key>]) -> StackUse {
        // All but the first are followed by ADD.
        let uses = parts.enumerated().map { number, part in
            let add: MiniscriptStack? = number > 0 ? .pop : .nothing
            let stack = part.resources.stack
            return (satisfied: stack.satisfied + add, dissatisfied: stack.dissatisfied + add)
        }
        let (satisfied, dissatisfied) = MiniscriptStack?.choosing(threshold, of: uses)
        return (satisfied + .equals, dissatisfied + .equals)
    }

    private static func wrapped(_ wrapper: MiniscriptWrapper, _ x: StackUse) -> StackUse {
        switch wrapper {
        case .alternateStack, .swap, .zeroNotEqual: x
        case .check: (x.satisfied + .pop, x.dissatisfied + .pop)
        case .verify: (x.satisfied + .pop, nil)
        case .duplicateIf, .nonzeroIf: (.copyIf + x.satisfied, .copyIf)
        }
    }

    private static func andB(_ x: StackUse, _ y: StackUse) -> StackUse {
        (x.satisfied + y.satisfied + .pop, x.dissatisfied + y.dissatisfied + .pop)
    }

    private static func orB(_ x: StackUse, _ y: StackUse) -> StackUse {
        (
            ((x.satisfied + y.dissatisfied) | (x.dissatisfied + y.satisfied)) + .pop,
            x.dissatisfied + y.dissatisfied + .pop
        )
    }

    private static func orC(_ x: StackUse, _ y: StackUse) -> StackUse {
        ((x.satisfied + .pop) | (x.dissatisfied + .pop + y.satisfied), nil)
    }

    private static func orD(_ x: StackUse, _ y: StackUse) -> StackUse {
        // IFDUP copies only what is true.
        (
            (x.satisfied + .copyIf) | (x.dissatisfied + .pop + y.satisfied),
            x.dissatisfied + .pop + y.dissatisfied
        )
    }

    private static func orI(_ x: StackUse, _ y: StackUse) -> StackUse {
        (.pop + (x.satisfied | y.satisfied), .pop + (x.dissatisfied | y.dissatisfied))
    }

    private static func andOr(_ x: StackUse, _ y: StackUse, _ z: StackUse) -> StackUse {
        (
            (x.satisfied + .pop + y.satisfied) | (x.dissatisfied + .pop + z.satisfied),
            x.dissatisfied + .pop + z.dissatisfied
        )
    }
}
