import TapProtocol

/// An unfinished flow in the journal.
public struct FlowEntry: Sendable, Hashable {
    /// The ident of the card that it is about.
    public let card: CardIdent
    /// How far it has come.
    public let state: FlowState
    /// When it began.
    public let created: UnixTime
    /// When it came so far.
    public let updated: UnixTime

    /// An entry from its parts.
    public init(card: CardIdent, state: FlowState, created: UnixTime, updated: UnixTime) {
        self.card = card
        self.state = state
        self.created = created
        self.updated = updated
    }
}
