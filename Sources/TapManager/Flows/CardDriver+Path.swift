import Bitcoin
import TapProtocol

/// The card's own path, for flows that temporarily move the card.
extension CardDriver {
    /// Moves the card to its own path, if it is not there, and asks the card to confirm. Works even for an interrupted
    /// task.
    /// - Parameter isPatient: whether to wait if the card is lost now.
    /// - Returns: whether the card has its path again.
    func restorePath(_ path: DerivationPath, cvc: CVC, isPatient: Bool) async -> Bool {
        let events = events
        let step: @Sendable (TapSession) throws -> Bool = { session in
            guard try session.refreshStatus().path != path else { return true }
            events(.changingPath(path))
            _ = try session.account(at: path, cvc: cvc)
            return try session.refreshStatus().path == path
        }
        do {
            if isPatient, !Task.isCancelled { return try await perform(repeatable: step) }
            return try await card.perform(step)
        } catch {
            return false
        }
    }

    /// Whether the card says that it is where it was before the move in the journal. Needs no CVC.
    func isWhereItWas() async -> Bool {
        guard case .derive(let state)? = try? journal.unfinished(.derive) else { return true }
        return await isAt(state.from)
    }

    /// Whether the card says that it has a key and where, as it did before. Needs no CVC.
    func isAs(_ before: CardStatus) async -> Bool {
        guard let now = try? await performOnce({ try $0.refreshStatus() }) else { return false }
        return now.isSetUp == before.isSetUp && now.path == before.path
    }

    /// Whether the card says that it is at a path. Needs no CVC.
    func isAt(_ path: DerivationPath) async -> Bool {
        (try? await performOnce { try $0.refreshStatus() })?.path == path
    }
}

extension FlowJournal {
    /// The path to which an interrupted run still had to move the card; `nil`: the card is where it belongs.
    /// - Parameter present: where the card says that it is. A setup leaves it at `m`, if anywhere; elsewhere, somebody has
    ///   chosen the path since.
    func owedPath(from present: DerivationPath?) throws(FlowError) -> DerivationPath? {
        if case .sign(let state) = try unfinished(.sign) { return state.ownPath }
        if case .derive(let state) = try unfinished(.derive) { return state.to }
        if present?.steps.isEmpty == true, case .setup(let state) = try unfinished(.setup),
            [.provingKey, .settingPath].contains(state.step)
        {
            return state.path
        }
        return nil
    }

    /// Removes what moved the card from the journal: the card is at its own path again.
    func finishPathChange() throws(FlowError) {
        for kind in [FlowKind.sign, .derive] { try finish(kind) }
    }

    /// Records that the user has chosen the card's path since an interrupted run that still had to move it.
    func choosePath(_ path: DerivationPath) throws(FlowError) {
        if case .setup(var state) = try unfinished(.setup), state.path != path {
            state.path = path
            try record(.setup(state))
        }
        try finishPathChange()
    }
}
