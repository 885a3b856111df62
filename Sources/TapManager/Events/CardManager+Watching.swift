import ExplainedErrors
import SmartCard
import TapProtocol

/// What happens, as a stream and as values.
///
/// ```swift
/// let (now, events) = manager.observe()
/// show(now)
/// for await event in events { update(event) }
/// ```
extension CardManager {
    /// What happens from now on, in order, in a stream for this caller; it ends with the manager, or when its owner
    /// ends or releases it. See ``ManagerEvents`` for slow readers.
    /// - Parameter watchingReaders: whether to watch readers and report them: first what is there now, then every
    ///   change. They are watched once for all who want it, and only as long as someone does, as some readers serve one
    ///   user at a time. If a backend stops reporting, its readers are reported as gone; the next call with this
    ///   watches them again.
    public nonisolated func events(watchingReaders: Bool = false) -> ManagerEvents {
        hub.events(watchingReaders: watchingReaders)
    }

    /// The current state. Reads the list of readers and the store, and blocks as long as that takes; asks no card.
    public nonisolated func snapshot() -> ManagerSnapshot {
        var problems: [any ExplainedError] = []
        func read<Value>(else missing: Value, _ body: () throws(StoreError) -> Value) -> Value {
            do throws(StoreError) { return try body() } catch {
                problems.append(error)
                return missing
            }
        }
        let (readers, readerProblems) = readers()
        problems += readerProblems
        let (records, entries) = read(else: ([], [])) { () throws(StoreError) in
            (try store.cards(), try store.flows())
        }
        var flows: [CardIdent: [UnfinishedFlow]] = [:]
        for entry in entries {
            let flow = read(else: nil) { () throws(StoreError) in try UnfinishedFlow(entry, in: store) }
            flows[entry.card, default: []] += [flow].compactMap(\.self)
        }
        let cards = cards(of: records, flows)
        var wallets: [ManagerSnapshot.Wallet] = []
        for stored in read(else: [], { () throws(StoreError) in try store.wallets() }) {
            let chain = read(else: nil) { () throws(StoreError) in
                try store.chain(of: stored.name, on: stored.network)
            }
            wallets.append(
                ManagerSnapshot.Wallet(stored: stored, synchronization: chain.map(WalletSynchronization.init)))
        }
        let transactions = read(else: []) { () throws(StoreError) in try store.transactions(limit: .max, offset: 0) }
        let known = hub.readers
        return ManagerSnapshot(
            readers: readers.map { reader in
                ManagerSnapshot.Reader(
                    spec: reader.spec, name: reader.name, kind: reader.kind, isOccupied: known.isOccupied(reader.spec),
                    card: known.card(on: reader.spec))
            }, cards: cards, wallets: wallets, transactions: transactions, problems: problems)
    }

    /// The current state and what happens from then on, without a gap: the stream starts before the state is read, so
    /// that what happens meanwhile is in one of them, or in both.
    public nonisolated func observe(
        watchingReaders: Bool = false
    ) -> (now: ManagerSnapshot, events: ManagerEvents) {
        let events = events(watchingReaders: watchingReaders)
        return (snapshot(), events)
    }

    /// The state of a card's flows: what is running, and what is unfinished.
    nonisolated func state(of card: CardIdent) throws(StoreError) -> CardState {
        CardState(unfinished: try store.flows(of: card), lastEvent: hub.lastEvent(of: card))
    }

    /// - Parameter flows: each card's unfinished flows.
    private nonisolated func cards(
        of records: [CardRecord], _ flows: [CardIdent: [UnfinishedFlow]]
    ) -> [ManagerSnapshot.Card] {
        let lastEvents = hub.lastEvents
        func card(_ ident: CardIdent, _ record: CardRecord?) -> ManagerSnapshot.Card {
            ManagerSnapshot.Card(
                ident: ident, isSimulated: simulated.contains(ident), record: record, unfinished: flows[ident] ?? [],
                lastEvent: lastEvents[ident])
        }
        let remembered = Set(records.map(\.ident))
        let others = Set(flows.keys).union(lastEvents.keys).subtracting(remembered).sorted { $0.text < $1.text }
        return records.map { card($0.ident, $0) } + others.map { card($0, nil) }
    }
}

/// The state of one card's flows.
struct CardState: Sendable, Equatable {
    /// What an interrupted flow left behind, most recently started first; includes a flow that is running now.
    let unfinished: [FlowEntry]
    /// What a flow of this process did last; `nil` if none ran.
    let lastEvent: FlowEvent?
}
