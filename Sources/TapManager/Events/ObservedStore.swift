import Bitcoin
import TapProtocol

/// A store that reports each change to those who watch, after writing it.
///
/// Everything that writes to a manager's store, a flow or a program, uses this one, so that no change goes unreported.
struct ObservedStore: Store {
    /// The store itself. Whoever writes to it must report the change.
    let kept: any Store
    let hub: EventHub

    // MARK: Cards

    func card(_ ident: CardIdent) throws(StoreError) -> CardRecord? { try kept.card(ident) }
    func cards() throws(StoreError) -> [CardRecord] { try kept.cards() }

    func save(_ card: CardRecord) throws(StoreError) {
        try kept.save(card)
        hub.publish(.card(.remembered(card)))
    }

    func name(_ card: CardIdent, _ name: String?) throws(StoreError) -> Bool {
        let isRemembered = try kept.name(card, name)
        if isRemembered, let record = try kept.card(card) { hub.publish(.card(.remembered(record))) }
        return isRemembered
    }

    func provenAccount(of cardKey: PublicKey, at path: DerivationPath) throws(StoreError) -> ProvenAccount? {
        try kept.provenAccount(of: cardKey, at: path)
    }

    func provenAccounts(of cardKey: PublicKey) throws(StoreError) -> [ProvenAccount] {
        try kept.provenAccounts(of: cardKey)
    }

    func save(_ account: ProvenAccount) throws(StoreError) { try kept.save(account) }

    func forgetCard(_ ident: CardIdent) throws(StoreError) -> Bool {
        let isForgotten = try kept.forgetCard(ident)
        if isForgotten { hub.publish(.card(.forgotten(ident))) }
        return isForgotten
    }

    // MARK: The journal of flows

    func flows(of card: CardIdent) throws(StoreError) -> [FlowEntry] { try kept.flows(of: card) }
    func flows() throws(StoreError) -> [FlowEntry] { try kept.flows() }

    func record(_ state: FlowState, of card: CardIdent, at time: UnixTime) throws(StoreError) {
        try kept.record(state, of: card, at: time)
        hub.publish(.journal(card, .recorded(state.kind)))
    }

    func finish(_ kind: FlowKind, of card: CardIdent) throws(StoreError) {
        try kept.finish(kind, of: card)
        hub.publish(.journal(card, .finished(kind)))
    }

    // MARK: Backups

    func save(_ backup: StoredBackup) throws(StoreError) { try kept.save(backup) }
    func backups(of card: CardIdent) throws(StoreError) -> [StoredBackup] { try kept.backups(of: card) }
}
