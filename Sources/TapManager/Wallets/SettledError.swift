import Bitcoin
import ExplainedErrors

/// Why nothing more is done with a stored transaction: the chain has decided about it, as a server said last.
package enum SettledError: Error, Sendable, Equatable {
    /// It is in a block, so many blocks deep, its own included.
    case confirmed(TransactionID, confirmations: Int)
    /// One that is in a block spends its coins; with that one's id.
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

    /// What became of the transaction.
    package var message: String {
        switch self {
        case .confirmed(let id, 1): "The transaction \(id) is confirmed already (1 block)."
        case .confirmed(let id, let count): "The transaction \(id) is confirmed already (\(count) blocks)."
        case .replaced(let id, let rival):
            "The transaction \(id) can no longer be sent: \(rival), which is in a block, spends its coins."
        }
    }

    /// What to do if a server lied.
    package var remedy: String {
        "A chain server said so. If you doubt it, synchronize the wallet with another server."
    }

    /// The transaction.
    package var subject: ErrorSubject? {
        switch self {
        case .confirmed(let id, _), .replaced(let id, _): .transaction(id.description)
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
