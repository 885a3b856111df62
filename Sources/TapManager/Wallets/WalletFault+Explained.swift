import ExplainedErrors

extension WalletFault: ExplainedError {
    /// Not descriptors that a wallet can watch.
    package var code: ErrorCode { .badDescriptor }

    /// What is wrong.
    package var message: String { description }

    /// What to do instead.
    package var remedy: String {
        switch self {
        case .repeatedKey: "Ask every cosigner for an extended key of his own."
        case .differ, .unpaired: "Make a wallet of the descriptors of one account."
        }
    }
}
