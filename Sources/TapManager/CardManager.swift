import Bitcoin
import SmartCard
import TapProtocol

/// The manager: what a program needs of this library to work with cards and transactions. It finds cards, gives every flow its
/// store and journal, publishes what flows do, and tells how far each has come.
///
/// ```swift
/// let manager = CardManager(store: store, readers: [PCSCBackend()], chain: servers, interaction: me, clock: clock)
/// let card = try await manager.card(.any)
/// let signing = try await manager.sign(psbt)
/// ```
public actor CardManager {
    /// Where everything is kept. What is written here is told to those who watch (``events(watchingReaders:)``).
    package nonisolated var store: any Store { observedStore }
    nonisolated let observedStore: ObservedStore
    nonisolated let hub: EventHub
    nonisolated let search: @Sendable (CardChoice) -> CardSearch
    nonisolated let chain: ChainConnections
    nonisolated let interaction: any Interaction
    nonisolated let patience: Patience?
    nonisolated let acceptedRoots: [PublicKey]
    nonisolated let simulated: SimulatedCards
    private nonisolated let clock: UnixClock

    /// A manager over any store, as tests have their own.
    package init(
        store: any Store, readers: [any ReaderBackend] = [], chain: ChainServers? = nil,
        interaction: any Interaction = NobodyToAsk(), patience: Patience? = nil, acceptedRoots: [PublicKey] = [],
        simulatorRoots: [PublicKey] = [], trace: (@Sendable (TraceEvent) -> Void)? = nil, clock: @escaping UnixClock
    ) {
        let hub = EventHub(readerEvents: readers.map { backend in { backend.events() } })
        self.hub = hub
        observedStore = ObservedStore(kept: store, hub: hub)
        let simulated = SimulatedCards(roots: simulatorRoots)
        self.simulated = simulated
        search = { choice in
            CardSearch(
                backends: readers, choice: choice, store: store, trace: trace, hub: hub, simulated: simulated
            ) { ident in
                // A store that cannot be read has no names.
                ((try? store.card(ident)) ?? nil)?.shownName
            }
        }
        self.chain = ChainConnections(chain)
        self.interaction = interaction
        self.patience = patience
        self.acceptedRoots = acceptedRoots
        self.clock = clock
    }

    /// A manager over a store.
    /// - Parameters:
    ///   - store: where everything is kept, journals included.
    ///   - readers: whose readers cards are looked for on.
    ///   - chain: the servers that are asked about wallets, slots and fees, and that transactions are sent to; `nil`:
    ///     what one said last counts, and nothing is sent.
    ///   - interaction: the way to the person; without one, whatever has to be asked ends the task.
    ///   - patience: how long to wait for a card, and for its return in the middle of a flow; `nil`: not at all.
    ///   - acceptedRoots: factory roots accepted beside the maker's. A card of theirs is not genuine.
    ///   - simulatorRoots: the roots of factories that make simulated cards: such a card is known for one on any reader
    ///     (``CardAtHand/isSimulated``). None of them is accepted by that.
    ///   - trace: hears every exchange with a card, its secrets masked.
    ///   - clock: the time.
    public init(
        store: LocalStore, readers: [any ReaderBackend] = [], chain: ChainServers? = nil,
        interaction: any Interaction = NobodyToAsk(), patience: Patience? = nil, acceptedRoots: [PublicKey] = [],
        simulatorRoots: [PublicKey] = [], trace: (@Sendable (TraceEvent) -> Void)? = nil, clock: @escaping UnixClock
    ) {
        self.init(
            store: store.kept, readers: readers, chain: chain, interaction: interaction, patience: patience,
            acceptedRoots: acceptedRoots, simulatorRoots: simulatorRoots, trace: trace, clock: clock)
    }

    /// The time, as whoever composed the program tells it.
    package nonisolated var now: UnixTime { clock() }

    // MARK: What is stored

    /// A stored transaction; `nil` when there is none.
    public nonisolated func transaction(_ id: TransactionID) throws(StoreError) -> StoredTransaction? {
        try store.transaction(id)
    }

    // MARK: Cards

    /// What people call a card: its ident, the name that they gave it, and the word SIMULATED where it is known for that.
    package nonisolated func label(of card: CardIdent) -> String {
        card.label(name: ((try? store.card(card)) ?? nil)?.shownName, isSimulated: simulated.contains(card))
    }

    /// The way to a card for flows, journalled in this manager's store.
    package nonisolated func driver(for found: CardAtHand) -> CardDriver {
        CardDriver(
            card: found.card, ident: found.ident, patience: patience, customRoots: acceptedRoots,
            simulated: simulated, journal: FlowJournal(store: store, card: found.ident, clock: clock)
        ) { [hub] in hub.publish(.flow(found.ident, $0)) }
    }
}
