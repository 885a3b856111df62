import ExplainedErrors

extension FeeRate.ParsingError: ExplainedError {
    /// Not a fee rate.
    public var code: ErrorCode { .badFeeRate }

    /// What is wrong.
    public var message: String { description.asSentence }
}
