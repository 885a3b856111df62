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
    public var message: String {
        code == .signatureInconclusive
            ? "Nobody can tell whether the signature is valid: \(description)."
            : "The signature is not valid: \(description)."
    }
}
