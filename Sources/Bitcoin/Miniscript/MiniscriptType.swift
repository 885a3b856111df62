/// What is known about a miniscript expression from its parts: which of the four kinds it is, and how it can be satisfied.
///
/// The letters are those of BIP-379; `x` and the four for lock times are Bitcoin Core's.
///
/// Spec: BIP-379, "Type System", "Satisfactions and malleability", "Timelock mixing"; Bitcoin Core, `script/miniscript.h`.
public struct MiniscriptType: OptionSet, Hashable, Sendable {
    /// One bit for each letter.
    public let rawValue: UInt32

    /// A set of letters.
    public init(rawValue: UInt32) { self.rawValue = rawValue }

    // MARK: The kinds: each expression has exactly one

    /// Base: leaves a true value when satisfied, and an exact 0 when dissatisfied.
    public static let base = Self(rawValue: 1 << 0)
    /// Verify: leaves nothing when satisfied, and cannot be dissatisfied.
    public static let verify = Self(rawValue: 1 << 1)
    /// Key: leaves a public key, of which a signature is checked then.
    public static let key = Self(rawValue: 1 << 2)
    /// Wrapped: takes its items from one below the top of the stack.
    public static let wrapped = Self(rawValue: 1 << 3)

    // MARK: How many items it takes

    /// `z`: none.
    public static let zeroArguments = Self(rawValue: 1 << 4)
    /// `o`: exactly one.
    public static let oneArgument = Self(rawValue: 1 << 5)
    /// `n`: at least one, and the top one is never 0 in a satisfaction.
    public static let nonzero = Self(rawValue: 1 << 6)

    // MARK: What it leaves, and how

    /// `d`: it can be dissatisfied without a signature.
    public static let dissatisfiable = Self(rawValue: 1 << 7)
    /// `u`: it leaves exactly 1 when satisfied.
    public static let unit = Self(rawValue: 1 << 8)

    // MARK: Malleability

    /// `f`: every dissatisfaction takes a signature.
    public static let forced = Self(rawValue: 1 << 9)
    /// `e`: it has one dissatisfaction without signature, which nobody else can alter.
    public static let expressive = Self(rawValue: 1 << 10)
    /// `s`: every satisfaction takes a signature.
    public static let safe = Self(rawValue: 1 << 11)
    /// `m`: it has a satisfaction that nobody else can alter, whatever is at hand.
    public static let nonmalleable = Self(rawValue: 1 << 12)

    // MARK: How it is written

    /// `x`: its last operation has no form that ends in `VERIFY`.
    public static let expensiveVerify = Self(rawValue: 1 << 13)

    // MARK: Lock times

    /// `g`: it contains a relative lock in time.
    public static let relativeTime = Self(rawValue: 1 << 14)
    /// `h`: it contains a relative lock in blocks.
    public static let relativeHeight = Self(rawValue: 1 << 15)
    /// `i`: it contains an absolute lock in time.
    public static let absoluteTime = Self(rawValue: 1 << 16)
    /// `j`: it contains an absolute lock in blocks.
    public static let absoluteHeight = Self(rawValue: 1 << 17)
    /// `k`: no satisfaction needs locks in time and in blocks at once, which no transaction can meet.
    public static let unmixed = Self(rawValue: 1 << 18)

    static let kinds: Self = [.base, .verify, .key, .wrapped]
    static let locks: Self = [.relativeTime, .relativeHeight, .absoluteTime, .absoluteHeight]

    /// Whether all of `letters` are in it.
    func has(_ letters: Self) -> Bool { isSuperset(of: letters) }

    /// These letters if a condition holds, and none otherwise.
    func when(_ condition: Bool) -> Self { condition ? self : [] }

    /// Whether two expressions that are satisfied together need a lock in time and one in blocks of the same sort.
    func mixes(with other: Self) -> Bool {
        for (time, height) in [(Self.relativeTime, Self.relativeHeight), (.absoluteTime, .absoluteHeight)] {
            if has(time) && other.has(height) || has(height) && other.has(time) { return true }
        }
        return false
    }
}
