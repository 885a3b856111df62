import Bitcoin
import TapProtocol

/// The one place where a card's extended keys come to be believed: each is probed before anything is made of it, and
/// remembered, so that this costs one signature once.
///
/// Spec: protocol, "Who can forge what" (the probe).
struct AccountProver: Sendable {
    /// Where the card's proven accounts are kept, and its path is noted while it is moved away.
    let journal: FlowJournal
    let cvc: CVC
    /// Whether the card is asked for its proof although the store has it.
    var asksAnew = false

    /// The extended key at a path, proven; the card is moved there if it is elsewhere.
    ///
    /// Wire: `xpub`, or `derive` and `status`; `sign` for a key that the store does not know.
    func key(at path: DerivationPath, on session: TapSession) throws -> ExtendedPublicKey {
        let claimed =
            session.status.path == path
            ? try session.extendedPublicKey(master: false, cvc: cvc) : try session.setPath(path, cvc: cvc).key
        try prove(claimed, at: path, on: session)
        return claimed
    }

    /// Proves what the card, which stands at the path, says to be its extended key there.
    /// - Throws: `TapError.badProof(.account)`; `.remembered` when the card proved another key at this path before, since it
    ///   has but one.
    func prove(_ claimed: ExtendedPublicKey, at path: DerivationPath, on session: TapSession) throws {
        let known = try known(at: path, on: session)
        guard known == nil || known == claimed else {
            throw TapError.badProof(
                .remembered, detail: "the key at \(path) is not the one that the store has as proven")
        }
        guard known == nil || asksAnew else { return }
        try session.probe(claimed, cvc: cvc)
        // Whoever knows a longer CVC could have made this signature: it is good for now, and not for ever.
        if cvc.isShortEnoughForProofs { try remember(claimed, at: path, of: session.status) }
    }

    /// The master key, proven. Where the store does not know it, the card is moved to `m` and brought back; that it is away
    /// stands in the journal meanwhile.
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
            throw TapError.badProof(.account, detail: "back at \(home), the card names another key than before")
        }
        try journal.finish(.derive)
        return master
    }

    /// Confirms, before a card is moved away, that it can be brought back.
    /// - Throws: `FlowError.badPath` for a path that no card can be moved to, though this one says that it stands there.
    static func requireReturn(to home: DerivationPath) throws(FlowError) {
        guard CardPath(home)?.subpath.steps.isEmpty == true else { throw .badPath(home) }
    }

    /// Does something with the card at its own path, whose key is proven, and to which it is brought back from where an
    /// interrupted run left it.
    func atHome<Result>(
        on session: TapSession, _ body: (_ home: DerivationPath, _ key: ExtendedPublicKey) throws -> Result
    ) throws -> Result {
        let present = session.status.path ?? DerivationPath()
        let owed = try journal.owedPath()
        let home = owed ?? present
        let result = try body(home, try key(at: home, on: session))
        if owed != nil { try journal.finish(.derive) }
        // An interrupted signing that left the card where it belongs goes on being told of.
        if home != present { try journal.finish(.sign) }
        return result
    }

    /// The account at a path, proven: its key, and the master key's fingerprint. The card stands there afterwards.
    func account(at path: DerivationPath, on session: TapSession) throws -> Account {
        let key = try key(at: path, on: session)
        let master = try masterKey(on: session, home: path, homeKey: key)
        return Account(masterFingerprint: master.fingerprint, path: path, key: key)
    }

    /// The master key that the store knows to be proven, when the card names the same: whoever wrote the store alone
    /// has none of his own taken for the card's.
    ///
    /// Wire: `xpub` when the store knows one.
    /// - Throws: `TapError.badProof(.remembered)`.
    func knownMasterKey(on session: TapSession) throws -> ExtendedPublicKey? {
        guard let known = try known(at: DerivationPath(), on: session) else { return nil }
        guard try session.extendedPublicKey(master: true, cvc: cvc) == known else {
            throw TapError.badProof(
                .remembered, detail: "the master key is not the one that the store has as proven")
        }
        return known
    }

    /// What the store knows to be proven.
    func known(at path: DerivationPath, on session: TapSession) throws(FlowError) -> ExtendedPublicKey? {
        let cardKey = session.status.publicKey
        return try journal.inStore { store throws(StoreError) in try store.provenAccount(of: cardKey, at: path)?.key }
    }

    /// Keeps a proven key in mind, and the fingerprint of a proven master key.
    func remember(_ key: ExtendedPublicKey, at path: DerivationPath, of card: CardStatus) throws(FlowError) {
        try journal.inStore { store throws(StoreError) in
            let time = journal.clock()
            try store.save(ProvenAccount(cardKey: card.publicKey, path: path, key: key, proven: time))
            if path.steps.isEmpty { try store.save(CardRecord(card, fingerprint: key.fingerprint, lastSeen: time)) }
        }
    }
}
