import ExplainedErrors

extension WalletFault: ExplainedError {
    /// The descriptors cannot be watched.
    package var code: ErrorCode { .badDescriptor }

    /// What is wrong.
    package var message: String { description }

    /// What to do instead.
    package var remedy: String {
        switch self {
        case .repeatedKey: "Ask every cosigner for their own extended key."
        case .differ, .unpaired: "Make a wallet from the descriptors of one account."
        }
    }
}
