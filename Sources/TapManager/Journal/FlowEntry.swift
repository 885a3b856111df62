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

    /// - Parameters:
    ///   - created: when the flow was begun.
    ///   - updated: when it came as far as `state` says.
    public init(card: CardIdent, state: FlowState, created: UnixTime, updated: UnixTime) {
        self.card = card
        self.state = state
        self.created = created
        self.updated = updated
    }
}
