import TapProtocol

/// One card's part of the journal: what a flow is about to do is recorded here before the card is asked.
package struct FlowJournal: Sendable {
    /// The store with the journal.
    package let store: any Store
    /// The card whose flows are recorded; other cards' flows in the store are not touched.
    package let card: CardIdent
    /// Tells the time.
    package let clock: UnixClock

    /// The journal of a card.
    package init(store: any Store, card: CardIdent, clock: @escaping UnixClock) {
        self.store = store
        self.card = card
        self.clock = clock
    }

    /// What an earlier run left behind; `nil`: nothing is unfinished.
    func unfinished(_ kind: FlowKind) throws(FlowError) -> FlowState? {
        try inStore { store throws(StoreError) in
            try store.flows(of: card).first { $0.state.kind == kind }?.state
        }
    }

    /// Records a step before it is done.
    func record(_ state: FlowState) throws(FlowError) {
        try inStore { store throws(StoreError) in try store.record(state, of: card, at: clock()) }
    }

    /// Removes the flow.
    func finish(_ kind: FlowKind) throws(FlowError) {
        try inStore { store throws(StoreError) in try store.finish(kind, of: card) }
    }

    /// Runs a flow, and removes its entry if the card refused the CVC and nothing of it was done. An earlier run's entry
    /// stays as it was.
    /// - Parameter isUndone: whether the card is as it was before the flow.
    func strikingOutRefused<Result>(
        _ kind: FlowKind, ifTrue isUndone: () async -> Bool = { true }, _ flow: () async throws(FlowError) -> Result
    ) async throws(FlowError) -> Result {
        let earlier = try unfinished(kind)
        do throws(FlowError) { return try await flow() } catch {
            if error.refusesCVC, await isUndone() {
                if let earlier { try record(earlier) } else { try finish(kind) }
            }
            throw error
        }
    }

    /// The progress of a setup that an earlier run left behind.
    func unfinishedSetup() throws(FlowError) -> SetupState? {
        guard case .setup(let state) = try unfinished(.setup) else { return nil }
        return state
    }

    /// Whether a TAPSIGNER or SATSCHIP is ready: it has its key and, if it makes backups, a backup, and no change of it
    /// is unfinished. The setup of a card that was ready does not count: it has the key and the backup already.
    func isReady(_ status: CardStatus) throws(FlowError) -> Bool {
        guard status.isSetUp, status.backupCount != 0 else { return false }
        if let setup = try unfinishedSetup(), !setup.wasReady { return false }
        for kind in [FlowKind.sign, .derive, .changeCVC] {
            if try unfinished(kind) != nil { return false }
        }
        return true
    }

    /// The path to which a setup would move a card that is ready; `nil`: it stays where it is, or goes back there from
    /// `m`.
    /// - Parameter chosen: the path that the user chooses now; `nil`: the one of an interrupted setup.
    func newPath(_ chosen: DerivationPath?, for status: CardStatus) throws(FlowError) -> DerivationPath? {
        let own = try recordedPath(from: status.path) ?? status.path
        let earlier = try unfinishedSetup()?.path
        let wanted = chosen ?? earlier
        return wanted == own ? nil : wanted
    }

    /// Uses the store, and turns its error into a flow's.
    func inStore<Result>(_ body: (any Store) throws(StoreError) -> Result) throws(FlowError) -> Result {
        do throws(StoreError) { return try body(store) } catch { throw .store(error) }
    }
}
