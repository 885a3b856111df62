import ExplainedErrors

extension PSBTError: ExplainedError {
    /// Not a PSBT, or one with which that cannot be done.
    public var code: ErrorCode { .badPSBT }

    /// What is wrong and where. Holds no contents of the PSBT but transaction ids.
    public var message: String { "The PSBT cannot be used: \(description)." }

    /// Where to get a better one.
    public var remedy: String { "Export the PSBT again from the wallet that made it." }

    /// The input, or the other transaction.
    public var subject: ErrorSubject? {
        switch self {
        case .noSuchInput(let index), .input(let index, _): .input(index)
        case .otherTransaction(let id): .transaction("\(id)")
        default: nil
        }
    }
}
