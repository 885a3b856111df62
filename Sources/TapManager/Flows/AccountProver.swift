import Bitcoin
import TapProtocol

/// The one place where a card's extended keys are accepted as proven. Each is probed before it is used, and remembered,
/// so that it costs only one signature.
///
/// Spec: protocol, "Who can forge what" (the probe).
struct AccountProver: Sendable {
    /// Keeps the card's proven accounts, and its path while it is moved away.
    let journal: FlowJournal
    let cvc: CVC
    /// Whether to ask the card for its proof even if the store has it.
    var asksAnew = false
    /// Where the card was before this task moved it.
    let departures = Departures()

    /// The proven extended key at a path; the card is moved there if necessary.
    ///
    /// Wire: `xpub`, or `derive` and `status`; `sign` for a key that the store does not have.
    func key(at path: DerivationPath, on session: TapSession) throws -> ExtendedPublicKey {
        let present = session.status.path ?? DerivationPath()
        let earlier = departures.first(to: path, from: present)
        let claimed =
            present == path
            ? try session.extendedPublicKey(master: false, cvc: cvc) : try session.setPath(path, cvc: cvc).key
        try prove(claimed, at: path, on: session, movedFrom: earlier)
        return claimed
    }

    /// Proves what the card, which is at the path, claims as its extended key there.
    /// - Parameter earlier: where the card was; it goes back there if the store has another key. Whoever wrote that key
    ///   into the store can also have written there that the card belongs to this path.
    /// - Throws: `TapError.badProof(.account)`; `.remembered` if the card proved a different key at this path before,
    ///   as it can have only one.
    func prove(
        _ claimed: ExtendedPublicKey, at path: DerivationPath, on session: TapSession,
        movedFrom earlier: DerivationPath? = nil
    ) throws {
        let known = try known(at: path, on: session)
        guard known == nil || known == claimed else {
            if let earlier, earlier != path { _ = try session.account(at: earlier, cvc: cvc) }
            throw TapError.badProof(
                .remembered, detail: "the key at \(path) differs from the proven one in the store")
        }
        guard known == nil || asksAnew else { return }
        try session.probe(claimed, cvc: cvc)
        // Anyone who knows a longer CVC could have made this signature: accept it now, but do not remember it.
        if cvc.isShortEnoughForProofs { try remember(claimed, at: path, of: session.status) }
    }

    /// The master key, proven. If the store does not have it, the card is moved to `m` and back; the journal records
    /// that meanwhile.
    ///
    /// Wire: `xpub`; or `derive`, `status`, `sign`, then `derive`, `status`.
    /// - Parameters:
    ///   - home: where the card shall be afterwards.
    ///   - homeKey: the card's proven key there.
    func masterKey(
        on session: TapSession, home: DerivationPath, homeKey: ExtendedPublicKey
    ) throws -> ExtendedPublicKey {
        let m = DerivationPath()
        if home == m { return homeKey }
        if !asksAnew, let known = try knownMasterKey(on: session) { return known }
        try Self.requireReturn(to: home)
        try journal.record(.derive(DeriveState(from: m, to: home)))
        let master = try key(at: m, on: session)
        guard try session.setPath(home, cvc: cvc).key == homeKey else {
            throw TapError.badProof(.account, detail: "back at \(home), the card shows a different key than before")
        }
        try journal.finish(.derive)
        return master
    }

    /// Confirms, before a card is moved, that it can be moved back.
    /// - Throws: `FlowError.badPath` if the card reports a path to which no card can be moved.
    static func requireReturn(to home: DerivationPath) throws(FlowError) {
        guard CardPath(home)?.subpath.steps.isEmpty == true else { throw .badPath(home) }
    }

    /// Does something with the card at its own path, with a proven key; first moves it back if an interrupted run left
    /// it elsewhere.
    /// - Parameter events: hears that the card is moved.
    /// - Throws: `FlowError.unknownPath` before anything is sent.
    func atHome<Result>(
        on session: TapSession, telling events: FlowEvents,
        _ body: (_ home: DerivationPath, _ key: ExtendedPublicKey) throws -> Result
    ) throws -> Result {
        let present = session.status.path ?? DerivationPath()
        let owed = try journal.owedPath(from: present)
        let home = owed ?? present
        if home != present { events(.changingPath(home)) }
        let result = try body(home, try key(at: home, on: session))
        if owed != nil { try journal.finish(.derive) }
        // If the card is already where it belongs, an interrupted signing stays in the journal.
        if home != present { try journal.finish(.sign) }
        return result
    }

    /// The proven account at a path: its key, and the master key's fingerprint. The card is there afterwards.
    func account(at path: DerivationPath, on session: TapSession) throws -> Account {
        let key = try key(at: path, on: session)
        let master = try masterKey(on: session, home: path, homeKey: key)
        return Account(masterFingerprint: master.fingerprint, path: path, key: key)
    }

    /// The master key that the store has as proven, if the card shows the same one: someone who can only write to the
    /// store cannot pass off their key as the card's.
    ///
    /// Wire: `xpub` if the store has one.
    /// - Throws: `TapError.badProof(.remembered)`.
    func knownMasterKey(on session: TapSession) throws -> ExtendedPublicKey? {
        guard let known = try known(at: DerivationPath(), on: session) else { return nil }
        guard try session.extendedPublicKey(master: true, cvc: cvc) == known else {
            throw TapError.badProof(
                .remembered, detail: "the master key differs from the proven one in the store")
        }
        return known
    }

    /// What the store has as proven.
    func known(at path: DerivationPath, on session: TapSession) throws(FlowError) -> ExtendedPublicKey? {
        let cardKey = session.status.publicKey
        return try journal.inStore { store throws(StoreError) in try store.provenAccount(of: cardKey, at: path)?.key }
    }

    /// Stores a proven key, and the fingerprint of a proven master key.
    func remember(_ key: ExtendedPublicKey, at path: DerivationPath, of card: CardStatus) throws(FlowError) {
        try journal.inStore { store throws(StoreError) in
            let time = journal.clock()
            try store.save(ProvenAccount(cardKey: card.publicKey, path: path, key: key, proven: time))
            if path.steps.isEmpty { try store.save(CardRecord(card, fingerprint: key.fingerprint, lastSeen: time)) }
        }
    }
}
