import ExplainedErrors

extension MessageFault: ExplainedError {
    /// Not a signature of the message by the address, or one of which nobody can tell.
    public var code: ErrorCode {
        switch self {
        case .transactionVersion, .unknownFunds: .signatureInconclusive
        default: .badSignature
        }
    }

    /// What is wrong.
    public var message: String { "The message's signature is not valid, or nobody can tell: \(description)." }
}
