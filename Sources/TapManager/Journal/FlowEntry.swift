import TapProtocol

/// An unfinished flow in the journal.
package struct FlowEntry: Sendable, Hashable {
    /// The ident of the flow's card.
    package let card: CardIdent
    /// Its progress.
    package let state: FlowState
    /// When it started.
    package let created: UnixTime
    /// When it was last updated.
    package let updated: UnixTime

    /// - Parameters:
    ///   - created: when the flow started.
    ///   - updated: when it reached `state`.
    package init(card: CardIdent, state: FlowState, created: UnixTime, updated: UnixTime) {
        self.card = card
        self.state = state
        self.created = created
        self.updated = updated
    }
}
