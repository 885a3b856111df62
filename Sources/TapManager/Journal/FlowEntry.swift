import TapProtocol

/// An unfinished flow in the journal.
package struct FlowEntry: Sendable, Hashable {
    /// The ident of the card that it is about.
    package let card: CardIdent
    /// How far it has come.
    package let state: FlowState
    /// When it began.
    package let created: UnixTime
    /// When it came so far.
    package let updated: UnixTime

    /// - Parameters:
    ///   - created: when the flow was begun.
    ///   - updated: when it came as far as `state` says.
    package init(card: CardIdent, state: FlowState, created: UnixTime, updated: UnixTime) {
        self.card = card
        self.state = state
        self.created = created
        self.updated = updated
    }
}
