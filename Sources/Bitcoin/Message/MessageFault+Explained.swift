import ExplainedErrors

extension MessageFault: ExplainedError {
    /// Not a signature of the message by the address, one that cannot be judged, or no signature at all: that is bad
    /// input, and says nothing about who signed.
    public var code: ErrorCode {
        switch self {
        case .empty, .notBase64: .badArgument
        case .transactionVersion, .unknownFunds: .signatureInconclusive
        case .script(_, let failure) where failure.isUpgradable: .signatureInconclusive
        default: .badSignature
        }
    }

    /// What is wrong.
    public var message: String {
        switch code {
        case .signatureInconclusive: "It cannot be determined whether the signature is valid: \(description)."
        case .badArgument: "This is not a signature: \(description)."
        default: "The signature is not valid: \(description)."
        }
    }

    /// What to do about a text that cannot be a signature.
    public var remedy: String {
        code == .badArgument
            ? "Copy the whole signature again, and do not mix up the address, the signature and the message." : ""
    }
}
