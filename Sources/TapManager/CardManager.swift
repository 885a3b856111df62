import Bitcoin
import TapProtocol

/// The manager: what a program needs of this library to work with cards and transactions. It gives every flow its
/// store and journal, publishes what flows do, and tells how far each has come.
///
/// ```swift
/// let manager = CardManager(store: store, clock: clock)
/// let gate = manager.gate(to: card, ident: ident)
/// let result = try await manager.setUp(gate, cvc: cvc, goal: goal, saveBackup: save)
/// ```
public actor CardManager {
    /// Where everything is kept.
    public nonisolated let store: any Store
    private nonisolated let clock: UnixClock
    private nonisolated let hub = EventHub()

    /// A manager over a store.
    public init(store: any Store, clock: @escaping UnixClock) {
        self.store = store
        self.clock = clock
    }

    /// The time, as whoever composed the program tells it.
    public nonisolated var now: UnixTime { clock() }

    // MARK: Watching

    /// What every flow does from now on, in order, in a stream of the caller's own; it ends with the manager, or when its
    /// owner ends it.
    public nonisolated func events() -> ManagerEvents { hub.events() }

    /// How far the flows of a card have come: what runs, and what is unfinished.
    public nonisolated func state(of card: CardIdent) throws(StoreError) -> CardState {
        CardState(unfinished: try store.flows(of: card), lastEvent: hub.lastEvent(of: card))
    }

    /// A stored transaction; `nil` when there is none.
    public nonisolated func transaction(_ id: TransactionID) throws(StoreError) -> StoredTransaction? {
        try store.transaction(id)
    }

    /// A wallet; `nil` when there is none of this name.
    public nonisolated func wallet(named name: String) throws(StoreError) -> StoredWallet? {
        try store.wallets().first { $0.name == name }
    }

    // MARK: Cards

    /// The way to a card for flows, journalled in this manager's store.
    /// - Parameters: as `CardGate` takes them.
    public nonisolated func gate(
        to card: TapCard, ident: CardIdent, patience: CardGate.Patience? = nil, customRoots: [PublicKey] = []
    ) -> CardGate {
        CardGate(
            card: card, ident: ident, patience: patience, customRoots: customRoots,
            journal: FlowJournal(store: store, card: ident, clock: clock)
        ) { [hub] in hub.publish(ManagerEvent(card: ident, event: $0)) }
    }

    /// Remembers a card, and the fingerprint if the card proved it.
    public nonisolated func remember(_ status: CardStatus, fingerprint: Fingerprint? = nil) throws(StoreError) {
        try store.save(
            CardRecord(status, fingerprint: fingerprint, lastSeen: clock()))
    }
}

/// How far the flows of one card have come.
public struct CardState: Sendable, Equatable {
    /// What an interrupted flow left behind, the one begun last first; a flow that runs now stands here, too.
    public let unfinished: [FlowEntry]
    /// What a flow of this process did last; `nil` when none ran.
    public let lastEvent: FlowEvent?
}
