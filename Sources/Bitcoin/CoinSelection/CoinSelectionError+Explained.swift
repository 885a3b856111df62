import ExplainedErrors

extension CoinSelectionError: ExplainedError {
    /// What is in the way of the payment.
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
