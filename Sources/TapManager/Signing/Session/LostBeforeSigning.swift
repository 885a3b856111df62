import ExplainedErrors

/// A signing that was confirmed, and whose card was lost before it signed anything. The same call goes on.
public struct LostBeforeSigning: Error, Sendable, Equatable {
    /// What happened to the card or its reader.
    public let reason: FlowError
    /// How many of the card's signatures are there, from earlier runs.
    public let done: Int
    /// How many there shall be.
    public let total: Int
}

extension LostBeforeSigning: ExplainedError {
    /// That of the reason.
    public var code: ErrorCode { reason.code }
    /// That of the reason.
    public var message: String { reason.message }
    /// Those of the reason.
    public var details: [String] { reason.details }
    /// That of the reason.
    public var remedy: String { reason.remedy }
    /// That of the reason.
    public var subject: ErrorSubject? { reason.subject }
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
