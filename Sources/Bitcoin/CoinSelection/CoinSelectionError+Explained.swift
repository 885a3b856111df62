import ExplainedErrors

extension CoinSelectionError: ExplainedError {
    /// The kind of failure.
    public var code: ErrorCode {
        switch self {
        case .dust: .dust
        case .insufficient, .noneEconomical: .insufficientFunds
        case .noPayments: .usage
        case .amountsOverflow: .badAmount
        case .tooHeavy: .cannotBuild
        }
    }

    /// What is wrong.
    public var message: String { description.asSentence }
}
