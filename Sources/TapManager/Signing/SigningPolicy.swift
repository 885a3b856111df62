/// What a user or program allows or forbids in addition to the built-in checks.
public struct SigningPolicy: Sendable {
    /// Refuse inputs whose amount is not proven by their previous transaction (`--strict`).
    public var requiresProvenAmounts = false
    /// Sign with hash types other than ALL, with a warning that names what can still be changed (`--allow-sighash`).
    public var allowsOtherSighashes = false
    /// Sign for the requested network, whichever one the card reports: programs that drive hardware wallets pass it
    /// with every call, and a card has the same keys on all networks.
    package var ignoresSignerNetwork = false
    /// The program's own checks, which run after the built-in ones. Their findings have the code `policy`.
    public var checks: [any SigningCheck] = []

    /// Only the built-in checks.
    public init() {}
}
