/// What a person or a program may allow or forbid beyond the rules that always hold.
public struct SigningPolicy: Sendable {
    /// Refuse inputs whose amount is not proven by their previous transaction (`--strict`).
    public var requiresProvenAmounts = false
    /// Sign with hash types other than ALL, with a warning that names what stays changeable (`--allow-sighash`).
    public var allowsOtherSighashes = false
    /// Sign for the network that was asked for, whichever the card says it is for: programs that drive hardware wallets say
    /// it with every call, and a card's keys are the same for all.
    package var ignoresSignerNetwork = false
    /// Rules of the program's own, which are told behind those that always hold. Their findings have the code `policy`.
    public var checks: [any SigningCheck] = []

    /// The rules that always hold, and nothing beyond.
    public init() {}
}
