import SmartCard
import Synchronization
import TapProtocol

/// Hands every event to all who watch, in the same order to each, without waiting for any of them. Watches the readers as long
/// as somebody wants to hear of them.
final class EventHub: Sendable {
    /// Where one watcher's events go.
    struct Watcher: Sendable {
        let continuation: AsyncStream<ManagerEvent>.Continuation
        let cut: ManagerEvents.Cut
        let watchesReaders: Bool

        /// - Returns: false when the watcher has fallen too far behind, and is to be let go.
        func take(_ event: ManagerEvent) -> Bool {
            if case .reader = event, !watchesReaders { return true }
            guard case .dropped = continuation.yield(event) else { return true }
            cut.isOff.store(true, ordering: .releasing)
            return false
        }
    }

    private struct State {
        var watchers: [Int: Watcher] = [:]
        /// Numbers of watchers and of readers' watches.
        var nextNumber = 0
        var lastEvents: [CardIdent: FlowEvent] = [:]
        var readers = ReaderKnowledge()
        var readerWatch: (number: Int, task: Task<Void, Never>)?

        mutating func number() -> Int {
            nextNumber += 1
            return nextNumber
        }

        /// - Returns: those who have fallen too far behind; to be ended outside the lock.
        mutating func tell(_ events: [ManagerEvent]) -> [Watcher] {
            var late: [Watcher] = []
            for event in events {
                for (number, watcher) in watchers where !watcher.take(event) {
                    watchers[number] = nil
                    late.append(watcher)
                }
            }
            return late
        }
    }

    private let state = Mutex(State())
    private let readerEvents: @Sendable () -> AsyncStream<ReaderEvent>

    /// - Parameter readerEvents: begins to watch the readers: first what is there, then every change.
    init(readerEvents: @escaping @Sendable () -> AsyncStream<ReaderEvent>) { self.readerEvents = readerEvents }

    deinit {
        // Outside the lock: the end of a stream takes it off the list.
        let (watchers, watch) = state.withLock { (Array($0.watchers.values), $0.readerWatch?.task) }
        for watcher in watchers { watcher.continuation.finish() }
        watch?.cancel()
    }

    /// Tells what has happened.
    func publish(_ event: ManagerEvent) {
        change { state in
            if case .flow(let card, let event) = event { state.lastEvents[card] = event }
            return [event]
        }
    }

    /// Takes note of what was found on a reader; `nil`: no card. Told when it was not known.
    /// - Parameter removals: what `beginsLook` said.
    func saw(_ card: SeenCard?, on reader: String, since removals: Int) {
        change { state in state.readers.saw(card, on: reader, since: removals).map(ManagerEvent.card) }
    }

    /// Somebody begins to look at a reader, which takes a while.
    func beginsLook(at reader: String) -> Int { state.withLock { $0.readers.removals(on: reader) } }

    /// Changes what is known, and tells it, under one lock: nobody gets the events of two cards in another order, and who
    /// begins to watch before he looks misses nothing. To yield waits for nobody.
    private func change(_ change: (inout State) -> [ManagerEvent]) {
        let late = state.withLock { state in state.tell(change(&state)) }
        // The end of a stream takes the lock.
        for watcher in late { watcher.continuation.finish() }
    }

    func lastEvent(of card: CardIdent) -> FlowEvent? { state.withLock { $0.lastEvents[card] } }
    var lastEvents: [CardIdent: FlowEvent] { state.withLock { $0.lastEvents } }
    var readers: ReaderKnowledge { state.withLock { $0.readers } }

    // MARK: Watchers

    /// A new stream. One that watches readers begins with what is there now.
    func events(watchingReaders: Bool) -> ManagerEvents {
        let events = ManagerEvents()
        let number = state.withLock { state in
            let number = state.number()
            let watcher = events.watcher(watchesReaders: watchingReaders)
            state.watchers[number] = watcher
            guard watchingReaders else { return number }
            if state.readerWatch == nil {
                state.readerWatch = beginWatchingReaders(state.number())
            } else {
                for event in state.readers.presence { _ = watcher.take(.reader(event)) }
            }
            return number
        }
        // Also when its owner lets go of it.
        events.continuation.onTermination = { [weak self] _ in self?.leave(number) }
        return events
    }

    private func beginWatchingReaders(_ number: Int) -> (number: Int, task: Task<Void, Never>) {
        let task = Task { [weak self, readerEvents] in
            for await event in readerEvents() { self?.happened(event, inWatch: number) }
        }
        return (number, task)
    }

    private func happened(_ event: ReaderEvent, inWatch number: Int) {
        change { state in
            // What an ended watch still had to tell is about an earlier time.
            guard state.readerWatch?.number == number else { return [] }
            return [.reader(event)] + state.readers.happened(event).map(ManagerEvent.card)
        }
    }

    private func leave(_ number: Int) {
        let ended = state.withLock { state -> Task<Void, Never>? in
            state.watchers[number] = nil
            guard !state.watchers.values.contains(where: \.watchesReaders) else { return nil }
            defer { state.readerWatch = nil }
            if state.readerWatch != nil { state.readers.isWatchOver() }
            return state.readerWatch?.task
        }
        ended?.cancel()
    }
}
