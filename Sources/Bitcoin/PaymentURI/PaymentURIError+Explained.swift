import ExplainedErrors

extension PaymentURIError: ExplainedError {
    /// Not a payment link, or one that cannot be paid.
    public var code: ErrorCode { .badPaymentURI }

    /// What is wrong. Keys of parameters are text from outside.
    public var message: String { "That is no payment link: \(description)." }
}
