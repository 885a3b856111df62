import ExplainedErrors

extension Amount.TextError: ExplainedError {
    /// Not an amount with a unit.
    public var code: ErrorCode { .badAmount }

    /// What is wrong.
    public var message: String { description.asSentence }
}

extension Amount.DecimalError: ExplainedError {
    /// Not an amount in bitcoin.
    public var code: ErrorCode { .badAmount }

    /// What is wrong.
    public var message: String {
        switch self {
        case .empty: "The amount has no digits."
        case .notDecimal: "The amount is not a decimal number of bitcoin."
        case .belowOneSatoshi: "The amount is more precise than one satoshi."
        case .aboveMaximum: "The amount is above 21 million BTC."
        }
    }
}
