import TapProtocol

/// An unfinished flow in the journal.
public struct FlowEntry: Sendable, Hashable {
    /// The ident of the card that it is about.
    public let cardIdent: String
    /// How far it has come.
    public let state: FlowState
    /// When it began.
    public let created: UnixTime
    /// When it came so far.
    public let updated: UnixTime

    /// An entry from its parts.
    public init(cardIdent: String, state: FlowState, created: UnixTime, updated: UnixTime) {
        self.cardIdent = cardIdent
        self.state = state
        self.created = created
        self.updated = updated
    }
}
