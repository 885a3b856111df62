import ExplainedErrors

extension ReachFault: ExplainedError {
    /// The card could not sign for the address, or wallets do not look there.
    package var code: ErrorCode { .outOfReach }

    /// What is wrong.
    package var message: String { "The address is not verified. \(description)" }

    /// Which address to use instead, if that helps.
    package var remedy: String { isOfIndex ? "Use an address near those in use." : "" }

    /// The index of the address, if it is the problem.
    package var subject: ErrorSubject? { isOfIndex ? .choice(.addressIndex) : nil }

    private var isOfIndex: Bool {
        switch self {
        case .unusualBranch, .farIndex: true
        case .taproot, .notSignable, .keysApart: false
        }
    }
}
