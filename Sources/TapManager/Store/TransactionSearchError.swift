import Bitcoin
import ExplainedErrors

/// Why no stored transaction is found by the beginning of its id.
package enum TransactionSearchError: Error, Sendable, Equatable {
    /// The text cannot be the beginning of an id.
    case noID(String)
    /// No stored transaction begins like this.
    case none(String)
    /// Several begin like this; two of them.
    case several(String, TransactionID, TransactionID)
    /// The local store failed.
    case store(StoreError)
}

extension TransactionSearchError: ExplainedError {
    /// What went wrong, as all layers name it.
    package var code: ErrorCode {
        switch self {
        case .noID: .usage
        case .none, .several: .noSuchTransaction
        case .store(let error): error.code
        }
    }

    /// What happened.
    package var message: String {
        switch self {
        case .noID(let text):
            "“\(text)” is not a transaction id, which has \(TransactionID.shortestName) to \(TransactionID.digitCount) "
                + "hexadecimal digits."
        case .none(let text): "There is no stored transaction \(text)."
        case .several(let text, let one, let other): "Several transactions begin with \(text): \(one), \(other), …."
        case .store(let error): error.message
        }
    }

    /// What to do about it; empty when there is nothing to add.
    package var remedy: String {
        switch self {
        case .noID: "Give the id of a stored transaction, or its beginning."
        case .several: "Give more digits of the id."
        case .none: ""
        case .store(let error): error.remedy
        }
    }

    /// The subject from the layer below, or the choice of a transaction.
    package var subject: ErrorSubject? {
        switch self {
        case .noID: .choice(.transaction)
        case .none, .several: nil
        case .store(let error): error.subject
        }
    }
}

extension TransactionID {
    /// The shortest beginning of an id that identifies a stored transaction.
    static let shortestName = 4
    /// The digits of a complete id.
    static let digitCount = 64
}
