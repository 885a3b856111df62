import Bitcoin
import SmartCard
import TapProtocol

/// The manager: everything a program needs from this library to work with cards and transactions. It finds cards, gives
/// every flow its store and journal, publishes what flows do, and reports their progress.
///
/// ```swift
/// let manager = CardManager(store: store, readers: [PCSCBackend()], chain: servers, interaction: me, clock: clock)
/// let card = try await manager.card(.any)
/// let signing = try await manager.sign(psbt)
/// ```
public actor CardManager {
    /// Where everything is stored. Changes made here are reported as events (``events(watchingReaders:)``).
    package nonisolated var store: any Store { observedStore }
    nonisolated let observedStore: ObservedStore
    nonisolated let hub: EventHub
    nonisolated let search: @Sendable (CardChoice) -> CardSearch
    private nonisolated let backends: [any ReaderBackend]
    private nonisolated let trace: (@Sendable (TraceEvent) -> Void)?
    nonisolated let chain: ChainConnections
    nonisolated let interaction: any Interaction
    nonisolated let patience: Patience?
    nonisolated let acceptedRoots: [PublicKey]
    nonisolated let simulated: SimulatedCards
    private nonisolated let clock: UnixClock
    /// Is told what this manager's flows do, in addition to those who watch events.
    private nonisolated let progress: (@Sendable (CardIdent, FlowEvent) -> Void)?

    /// A manager with any store, such as those of tests.
    package init(
        store: any Store, readers: [any ReaderBackend] = [], chain: ChainServers? = nil,
        interaction: any Interaction = NobodyToAsk(), patience: Patience? = nil, acceptedRoots: [PublicKey] = [],
        simulatorRoots: [PublicKey] = [], trace: (@Sendable (TraceEvent) -> Void)? = nil, clock: @escaping UnixClock
    ) {
        let hub = EventHub(readerEvents: readers.map { backend in { backend.events() } })
        self.init(
            store: ObservedStore(kept: store, hub: hub), readers: readers, chain: ChainConnections(chain),
            interaction: interaction, patience: patience, acceptedRoots: acceptedRoots,
            simulated: SimulatedCards(roots: simulatorRoots), trace: trace, clock: clock, progress: nil)
    }

    private init(
        store: ObservedStore, readers: [any ReaderBackend], chain: ChainConnections, interaction: any Interaction,
        patience: Patience?, acceptedRoots: [PublicKey], simulated: SimulatedCards,
        trace: (@Sendable (TraceEvent) -> Void)?, clock: @escaping UnixClock,
        progress: (@Sendable (CardIdent, FlowEvent) -> Void)?
    ) {
        hub = store.hub
        observedStore = store
        self.simulated = simulated
        backends = readers
        self.trace = trace
        search = { choice in
            CardSearch(
                backends: readers, choice: choice, store: store.kept, trace: trace, hub: store.hub,
                simulated: simulated
            ) { ident in
                // If the store cannot be read, there are no names.
                ((try? store.kept.card(ident)) ?? nil)?.shownName
            }
        }
        self.chain = chain
        self.interaction = interaction
        self.patience = patience
        self.acceptedRoots = acceptedRoots
        self.clock = clock
        self.progress = progress
    }

    /// The same manager for one task of several: it asks somebody else, and reports to the same watchers.
    /// - Parameters:
    ///   - interaction: asks and informs whoever the task is for.
    ///   - patience: how long the task waits for a card; `nil`: not at all.
    ///   - reader: the only reader that it may use, by its `spec`; `nil`: any.
    ///   - progress: is told what the task's flows do, in addition to those who watch events.
    package nonisolated func asking(
        _ interaction: any Interaction, patience: Patience? = nil, on reader: String? = nil,
        progress: (@Sendable (CardIdent, FlowEvent) -> Void)? = nil
    ) -> CardManager {
        CardManager(
            store: observedStore, readers: reader.map { spec in backends.map { OneReader($0, spec) } } ?? backends,
            chain: chain, interaction: interaction, patience: patience, acceptedRoots: acceptedRoots,
            simulated: simulated, trace: trace, clock: clock, progress: progress)
    }

    /// A manager with a store.
    /// - Parameters:
    ///   - store: where everything is stored, including journals.
    ///   - readers: the backends on whose readers cards are searched.
    ///   - chain: the servers that are asked about wallets, slots and fees, and that transactions are sent to; `nil`:
    ///     the last known answers count, and nothing is sent.
    ///   - interaction: asks and informs the user; `nil`: a task ends when it has to ask something
    ///     (`ErrorCode.confirmationNeeded`, `ErrorCode.cvcNeeded`).
    ///   - patience: how long to wait for a card, and for its return in the middle of a flow; `nil`: not at all.
    ///   - acceptedRoots: factory roots accepted in addition to the maker's. Their cards are not genuine.
    ///   - simulatorRoots: the roots of factories that make simulated cards, which are then recognized on any reader
    ///     (``CardAtHand/isSimulated``). This does not accept them.
    ///   - trace: receives every exchange with a card, its secrets masked.
    ///   - clock: the time.
    public init(
        store: LocalStore, readers: [any ReaderBackend] = [], chain: ChainServers? = nil,
        interaction: (any Interaction)? = nil, patience: Patience? = nil, acceptedRoots: [PublicKey] = [],
        simulatorRoots: [PublicKey] = [], trace: (@Sendable (TraceEvent) -> Void)? = nil, clock: @escaping UnixClock
    ) {
        self.init(
            store: store.kept, readers: readers, chain: chain, interaction: interaction ?? NobodyToAsk(),
            patience: patience,
            acceptedRoots: acceptedRoots, simulatorRoots: simulatorRoots, trace: trace, clock: clock)
    }

    /// The time, from the program's clock.
    package nonisolated var now: UnixTime { clock() }

    // MARK: What is stored

    /// A stored transaction; `nil` if there is none.
    public nonisolated func transaction(_ id: TransactionID) throws(StoreError) -> StoredTransaction? {
        try store.transaction(id)
    }

    // MARK: Cards

    /// The card as shown to people: its ident, the name that they gave it, and SIMULATED if it is known to be.
    package nonisolated func label(of card: CardIdent) -> String {
        card.label(name: ((try? store.card(card)) ?? nil)?.shownName, isSimulated: simulated.contains(card))
    }

    /// A flow's access to a card, with its journal in this manager's store.
    package nonisolated func driver(for found: CardAtHand) -> CardDriver {
        CardDriver(
            card: found.card, ident: found.ident, patience: patience, customRoots: acceptedRoots,
            simulated: simulated, journal: FlowJournal(store: store, card: found.ident, clock: clock)
        ) { [hub, progress] event in
            hub.publish(.flow(found.ident, event))
            progress?(found.ident, event)
        }
    }
}
