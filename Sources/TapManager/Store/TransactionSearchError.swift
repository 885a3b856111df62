import Bitcoin
import ExplainedErrors

/// Why no stored transaction is found by the beginning of its id.
package enum TransactionSearchError: Error, Sendable, Equatable {
    /// What was given is no beginning of an id.
    case noID(String)
    /// No stored transaction begins so.
    case none(String)
    /// Several do; two of them.
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
            "“\(text)” is no transaction id: \(TransactionID.shortestName) to \(TransactionID.digitCount) hexadecimal digits."
        case .none(let text): "There is no stored transaction \(text)."
        case .several(let text, let one, let other): "Several transactions begin with \(text): \(one), \(other), …."
        case .store(let error): error.message
        }
    }

    /// What to do about it; empty when there is nothing to add.
    package var remedy: String {
        switch self {
        case .noID: "Name a stored transaction by its id, or by the beginning of it."
        case .several: "Give more digits of its id."
        case .none: ""
        case .store(let error): error.remedy
        }
    }

    /// What the layer below names, or what was given.
    package var subject: ErrorSubject? {
        switch self {
        case .noID(let text): .transaction(text)
        case .none, .several: nil
        case .store(let error): error.subject
        }
    }
}

extension TransactionID {
    /// The shortest beginning of an id that names a stored transaction.
    static let shortestName = 4
    /// The digits of a whole id.
    static let digitCount = 64
}
