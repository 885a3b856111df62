import ExplainedErrors

extension ReachFault: ExplainedError {
    /// The card could not sign for the address, or wallets do not look there.
    package var code: ErrorCode { .outOfReach }

    /// What is wrong.
    package var message: String { "The address is not verified. \(description)" }

    /// Which address to take instead, where another one helps.
    package var remedy: String { isOfIndex ? "Take an address near those in use." : "" }

    /// The number of the address, where it is to blame.
    package var subject: ErrorSubject? { isOfIndex ? .choice(.addressIndex) : nil }

    private var isOfIndex: Bool {
        switch self {
        case .unusualBranch, .farIndex: true
        case .taproot, .notSignable, .keysApart: false
        }
    }
}
