import ExplainedErrors

extension MessageFault: ExplainedError {
    /// Not a signature of the message by the address, or one that cannot be judged.
    public var code: ErrorCode {
        switch self {
        case .transactionVersion, .unknownFunds: .signatureInconclusive
        case .script(_, let failure) where failure.isUpgradable: .signatureInconclusive
        default: .badSignature
        }
    }

    /// What is wrong.
    public var message: String {
        code == .signatureInconclusive
            ? "It cannot be determined whether the signature is valid: \(description)."
            : "The signature is not valid: \(description)."
    }
}
