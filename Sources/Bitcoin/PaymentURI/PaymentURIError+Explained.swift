import ExplainedErrors

extension PaymentURIError: ExplainedError {
    /// Not a valid payment link, or one that cannot be paid.
    public var code: ErrorCode { .badPaymentURI }

    /// What is wrong. Parameter keys are text from outside.
    public var message: String { "The payment link cannot be paid: \(description)." }
}
