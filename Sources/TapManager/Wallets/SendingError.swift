import Bitcoin
import ChainData
import ExplainedErrors

/// Why a transaction was not sent, or what is wrong although it was.
package enum SendingError: Error, Sendable, Equatable {
    /// How many signatures are missing; 0 if other parts of its scripts are.
    case notComplete(TransactionID, missing: Int)
    /// A script does not spend its coin.
    case notValid(TransactionID, PSBTError)
    /// The chain server failed, or the network did not accept the transaction.
    case chain(ChainError)
    /// It was sent, but the store could not be updated.
    case sentButNotKept(TransactionID, StoreError)
}

extension SendingError: ExplainedError {
    /// What went wrong, as all layers name it.
    package var code: ErrorCode {
        switch self {
        case .notComplete: .notComplete
        case .notValid(_, let error): error.code
        case .chain(let error): error.code
        case .sentButNotKept(_, let error): error.code
        }
    }

    /// What happened.
    package var message: String {
        switch self {
        case .notComplete(_, missing: 0): "The transaction's scripts are incomplete."
        case .notComplete(_, let missing): "\(missing.counted("signature is", "signatures are")) missing."
        case .notValid(let id, let error): "The transaction \(id): \(error)."
        case .chain(let error): error.message
        case .sentButNotKept(let id, let error):
            "The transaction \(id) was sent, but the store could not be updated. \(error.message)"
        }
    }

    /// What to do about it, or about the error from the layer below.
    package var remedy: String {
        switch self {
        case .notComplete: "Get the missing signatures first."
        case .notValid(_, let error): error.remedy
        case .chain(let error):
            [error.remedy, Self.mayHaveArrived(error) ? Self.sameAgain : ""].filter { !$0.isEmpty }
                .joined(separator: " ")
        case .sentButNotKept(_, let error): error.remedy
        }
    }

    private static let sameAgain =
        "The transaction may have arrived: send the same one again, which is safe, instead of paying anew."

    /// Whether the transaction may have arrived although there is no answer that says so.
    private static func mayHaveArrived(_ error: ChainError) -> Bool {
        switch error {
        case .unreachable(.timedOut, _), .unreachable(.closed, _), .malformed, .tooLarge, .serverError, .liar,
            .cancelled:
            true
        default: false
        }
    }

    /// The transaction, its input, or the subject from the layer below.
    package var subject: ErrorSubject? {
        switch self {
        case .notComplete(let id, _): .transaction(id)
        case .notValid(let id, let error): error.subject ?? .transaction(id)
        case .chain(let error): error.subject
        case .sentButNotKept(_, let error): error.subject
        }
    }
}
