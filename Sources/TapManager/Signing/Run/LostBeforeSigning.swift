import ExplainedErrors

/// A confirmed signing whose card was lost before it signed anything. Calling again continues it.
package struct LostBeforeSigning: Error, Sendable, Equatable {
    /// What happened to the card or its reader.
    package let reason: FlowError
    /// How many of the card's signatures exist, from earlier runs.
    package let done: Int
    /// How many there will be.
    package let total: Int
}

extension LostBeforeSigning: ExplainedError {
    /// The reason's code.
    package var code: ErrorCode { reason.code }
    /// The reason's message.
    package var message: String { reason.message }
    /// The reason's details.
    package var details: [String] { reason.details }
    /// The reason's remedy.
    package var remedy: String { reason.remedy }
    /// The reason's subject.
    package var subject: ErrorSubject? { reason.subject }
}

extension FlowError {
    /// Whether the card or its reader is gone, or a different card is in its place.
    var isLoss: Bool {
        switch self {
        case .card(.reader(let error)): error.isCardLost || error.isReaderLost
        case .card(.anotherCard): true
        default: false
        }
    }
}
