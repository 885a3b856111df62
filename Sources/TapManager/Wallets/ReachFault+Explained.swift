import ExplainedErrors

extension ReachFault: ExplainedError {
    /// The card could not sign for the address, or wallets do not look there.
    public var code: ErrorCode { .outOfReach }

    /// What is wrong.
    public var message: String { "The address is not verified. \(description)" }

    /// Which address to take instead.
    public var remedy: String { "Take an address near those in use." }

    /// The place of the address.
    public var subject: ErrorSubject? { .choice(.addressIndex) }
}
