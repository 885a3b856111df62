/// What a person may allow or forbid beyond the rules that always hold.
public struct SigningPolicy: Sendable, Equatable {
    /// Refuse inputs whose amount is not proven by their previous transaction (`--strict`).
    public var requiresProvenAmounts = false
    /// Sign with hash types other than ALL, with a warning that names what stays changeable (`--allow-sighash`).
    public var allowsOtherSighashes = false
    /// Sign for the network that was asked for, whichever the card says it is for: programs that drive hardware wallets say
    /// it with every call, and a card's keys are the same for all.
    public var ignoresSignerNetwork = false

    /// The rules that always hold, and nothing beyond.
    public init() {}
}
