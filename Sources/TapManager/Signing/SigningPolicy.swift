/// What a user or program allows or forbids in addition to the built-in checks.
public struct SigningPolicy: Sendable {
    /// Refuse inputs whose amount is not proven by their previous transaction (`--strict`).
    package var requiresProvenAmounts = false
    /// Sign with hash types other than ALL, with a warning that names what can still be changed (`--allow-sighash`).
    package var allowsOtherSighashes = false
    /// Sign for the requested network, whichever one the card reports: programs that drive hardware wallets pass it
    /// with every call, and a card has the same keys on all networks.
    package var ignoresSignerNetwork = false
    /// Registrations of wallets that are not stored, each of which must hold if the signer can tell.
    package var registrations: [RegistrationText] = []
    /// Refuse a signer that made none of these registrations, and coins that are not of the wallet that it registered
    /// (`--registration`): what was kept elsewhere does not depend on the store.
    package var requiresRegistration = false
    /// The program's own checks, which run after the built-in ones. Their findings have the code `policy`.
    package var checks: [any SigningCheck] = []

    /// A policy; by default, only the built-in checks.
    /// - Parameters:
    ///   - requiresProvenAmounts: whether to refuse inputs whose amount is not proven by their previous transaction.
    ///   - allowsOtherSighashes: whether to sign with hash types other than ALL, with a warning that names what can still
    ///     be changed.
    ///   - checks: the program's own, which run after the built-in ones; their findings have the code `policy`.
    public init(
        requiresProvenAmounts: Bool = false, allowsOtherSighashes: Bool = false, checks: [any SigningCheck] = []
    ) {
        self.requiresProvenAmounts = requiresProvenAmounts
        self.allowsOtherSighashes = allowsOtherSighashes
        self.checks = checks
    }
}
