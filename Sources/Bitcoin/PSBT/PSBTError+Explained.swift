import ExplainedErrors

extension PSBTError: ExplainedError {
    /// Not a PSBT, or one that does not allow this.
    public var code: ErrorCode { .badPSBT }

    /// What is wrong, and where. Contains nothing from the PSBT except transaction ids.
    public var message: String { "The PSBT cannot be used: \(description)." }

    /// How to get a valid one.
    public var remedy: String { "Export the PSBT again from the wallet that made it." }

    /// The input, or the other PSBT's transaction.
    public var subject: ErrorSubject? {
        switch self {
        case .noSuchInput(let index), .input(let index, _): .input(index)
        case .otherTransaction(let id): .transaction(id)
        default: nil
        }
    }
}
