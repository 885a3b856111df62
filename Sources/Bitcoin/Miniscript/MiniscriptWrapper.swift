/// What changes the type of an expression and not its meaning.
///
/// Spec: BIP-379, "Specification". `t:`, `l:` and `u:` are other fragments.
public enum MiniscriptWrapper: Character, CaseIterable, Sendable {
    /// `a:`
    case alternateStack = "a"
    /// `s:`
    case swap = "s"
    /// `c:`
    case check = "c"
    /// `d:`
    case duplicateIf = "d"
    /// `v:`
    case verify = "v"
    /// `j:`
    case nonzeroIf = "j"
    /// `n:`
    case zeroNotEqual = "n"
}
