/// What a person may allow or forbid beyond the rules that always hold.
public struct SigningPolicy: Sendable, Equatable {
    /// Refuse inputs whose amount is not proven by their previous transaction (`--strict`).
    public var requiresProvenAmounts = false
    /// Sign with hash types other than ALL, with a warning that names what stays changeable (`--allow-sighash`).
    public var allowsOtherSighashes = false

    /// The rules that always hold, and nothing beyond.
    public init() {}
}
