import ExplainedErrors

/// A signing that was confirmed, and whose card was lost before it signed anything. The same call goes on.
package struct LostBeforeSigning: Error, Sendable, Equatable {
    /// What happened to the card or its reader.
    package let reason: FlowError
    /// How many of the card's signatures are there, from earlier runs.
    package let done: Int
    /// How many there shall be.
    package let total: Int
}

extension LostBeforeSigning: ExplainedError {
    /// That of the reason.
    package var code: ErrorCode { reason.code }
    /// That of the reason.
    package var message: String { reason.message }
    /// Those of the reason.
    package var details: [String] { reason.details }
    /// That of the reason.
    package var remedy: String { reason.remedy }
    /// That of the reason.
    package var subject: ErrorSubject? { reason.subject }
}

extension FlowError {
    /// Whether the card, or its reader, is not there any more, or another card is in its place.
    var isLoss: Bool {
        switch self {
        case .card(.reader(let error)): error.isCardLost || error.isReaderLost
        case .card(.anotherCard): true
        default: false
        }
    }
}
