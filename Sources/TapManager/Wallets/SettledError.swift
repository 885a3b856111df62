import Bitcoin
import ExplainedErrors

/// Why nothing can be done with a stored transaction any more: according to a server, the chain has settled it.
package enum SettledError: Error, Sendable, Equatable {
    /// It is confirmed, in this many blocks.
    case confirmed(TransactionID, confirmations: Int)
    /// A confirmed transaction spends its coins; with that one's id.
    case replaced(TransactionID, by: TransactionID)
}

extension SettledError: ExplainedError {
    /// What went wrong, as all layers name it.
    package var code: ErrorCode {
        switch self {
        case .confirmed: .alreadyConfirmed
        case .replaced: .alreadyReplaced
        }
    }

    /// What happened to the transaction.
    package var message: String {
        switch self {
        case .confirmed(let id, 1): "The transaction \(id) is already confirmed (1 block)."
        case .confirmed(let id, let count): "The transaction \(id) is already confirmed (\(count) blocks)."
        case .replaced(let id, let rival):
            "The transaction \(id) can no longer be sent: the confirmed transaction \(rival) spends its coins."
        }
    }

    /// What to do if the server is not trusted.
    package var remedy: String {
        "This is what a chain server reported. If you doubt it, ask another one."
    }

    /// The transaction.
    package var subject: ErrorSubject? {
        switch self {
        case .confirmed(let id, _), .replaced(let id, _): .transaction(id)
        }
    }
}

extension StoredTransaction {
    /// Confirms that it can still be signed, sent and replaced, as far as is known.
    /// - Throws: `SettledError`.
    func requireOpen() throws(SettledError) {
        guard let standing else { return }
        if let rival = standing.replacedBy { throw .replaced(id, by: rival) }
        throw .confirmed(id, confirmations: standing.confirmations)
    }
}
