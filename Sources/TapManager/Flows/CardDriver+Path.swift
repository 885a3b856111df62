import Bitcoin
import TapProtocol

/// The card's own path, for flows that temporarily move the card.
extension CardDriver {
    /// Moves the card to its own path, if it is not there, and asks the card to confirm. Works even for an interrupted
    /// task. If the card's key there is not the one that the store has as proven, that this is its own path is a lie, too:
    /// then it goes back.
    /// - Parameter isPatient: whether to wait if the card is lost now.
    /// - Returns: whether the card has its path again.
    func restorePath(_ path: DerivationPath, cvc: CVC, isPatient: Bool) async -> Bool {
        let events = events
        let prover = AccountProver(journal: journal, cvc: cvc)
        let step: @Sendable (TapSession) throws -> Bool = { session in
            let present = try session.refreshStatus().path ?? DerivationPath()
            let earlier = prover.departures.first(to: path, from: present)
            guard earlier != path else { return true }
            if present != path { events(.changingPath(path)) }
            let key = try session.account(at: path, cvc: cvc).key
            if let known = try prover.known(at: path, on: session), known != key {
                _ = try session.account(at: earlier, cvc: cvc)
                return false
            }
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
    /// The path to which an interrupted run still had to move the card; `nil`: the card is where it belongs. Anyone who
    /// can write to the store can write any path into the journal, and money that is paid to it is lost with the store.
    /// So it counts only if the card is there already, or if it is known.
    /// - Parameter present: where the card says that it is.
    /// - Throws: `.unknownPath`.
    ///
    /// Spec: threats, "The store and what is resumed", "The PSBT lies" (ransom by lost path).
    func owedPath(from present: DerivationPath?) throws(FlowError) -> DerivationPath? {
        let path = try recordedPath(from: present)
        if let path, path != present { try requireKnown(path) }
        return path
    }

    /// Confirms that a path which only the journal has can be found again: the card has proven an account there, or
    /// wallets look there.
    /// - Throws: `.unknownPath`.
    func requireKnown(_ path: DerivationPath) throws(FlowError) {
        let isKnown = try inStore { store throws(StoreError) in try store.isKnown(path, of: card) }
        guard isKnown else { throw .unknownPath(path) }
    }

    /// The path to which an interrupted run still had to move the card, according to the journal alone.
    /// - Parameter present: where the card says that it is. A setup leaves it at `m`, if anywhere; elsewhere, somebody has
    ///   chosen the path since.
    func recordedPath(from present: DerivationPath?) throws(FlowError) -> DerivationPath? {
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

extension Store {
    /// Whether a card's path can be found again: the card has proven an account there, or wallets look there.
    func isKnown(_ path: DerivationPath, of card: CardIdent) throws(StoreError) -> Bool {
        let record = try self.card(card)
        if path.isFoundByWallets(isTestnet: record?.isTestnet) { return true }
        guard let cardKey = record?.publicKey else { return false }
        return try provenAccount(of: cardKey, at: path) != nil
    }
}

extension DerivationPath {
    /// Whether wallets that have only the master key look for an account here: at `m`, or at one of the first accounts
    /// for a single key or a cosigner.
    /// - Parameter isTestnet: whether the card is for the test networks; `nil`: unknown.
    ///
    /// Spec: BIP-44, BIP-48, BIP-49, BIP-84, BIP-86.
    fileprivate func isFoundByWallets(isTestnet: Bool?) -> Bool {
        guard !steps.isEmpty else { return true }
        let isForSingleKey = MultisigAccount.isForSingleKey(self) && steps.count == 3
        guard isForSingleKey || MultisigKind(accountPath: self) != nil, steps.allSatisfy(\.isHardened),
            let coinType, steps[2].index <= Self.highestUsualAccount
        else { return false }
        return isTestnet.map { coinType == ($0 ? 1 : 0) } ?? (coinType <= 1)
    }

    private static let highestUsualAccount: UInt32 = 20
}
