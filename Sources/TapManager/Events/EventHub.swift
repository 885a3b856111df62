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

    /// The readers of one backend are being watched.
    private struct Watch {
        let number: Int
        let task: Task<Void, Never>
    }

    private struct State {
        var watchers: [Int: Watcher] = [:]
        /// Numbers of watchers and of readers' watches.
        var nextNumber = 0
        var lastEvents: [CardIdent: FlowEvent] = [:]
        var readers = ReaderKnowledge()
        /// By the backends' places.
        var readerWatches: [Int: Watch] = [:]

        mutating func number() -> Int {
            nextNumber += 1
            return nextNumber
        }

        /// - Returns: what is to be told of it.
        mutating func happened(_ event: ReaderEvent) -> [ManagerEvent] {
            [.reader(event)] + readers.happened(event).map(ManagerEvent.card)
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
    private let readerEvents: [@Sendable () -> AsyncStream<ReaderEvent>]

    /// - Parameter readerEvents: each begins to watch the readers of one backend: first what is there, then every change.
    init(readerEvents: [@Sendable () -> AsyncStream<ReaderEvent>]) { self.readerEvents = readerEvents }

    deinit {
        // Outside the lock: the end of a stream takes it off the list.
        let (watchers, watches) = state.withLock { ($0.watchers.values, $0.readerWatches.values) }
        for watcher in watchers { watcher.continuation.finish() }
        for watch in watches { watch.task.cancel() }
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
            for event in state.readers.presence { _ = watcher.take(.reader(event)) }
            for place in readerEvents.indices where state.readerWatches[place] == nil {
                state.readerWatches[place] = beginWatching(at: place, state.number())
            }
            return number
        }
        // Also when its owner lets go of it.
        events.continuation.onTermination = { [weak self] _ in self?.leave(number) }
        return events
    }

    private func beginWatching(at place: Int, _ number: Int) -> Watch {
        let task = Task { [weak self, begin = readerEvents[place]] in
            var readers: Set<String> = []
            for await event in begin() {
                readers.insert(event.spec)
                self?.change(at: place, inWatch: number) { $0.happened(event) }
            }
            self?.watchEnded(at: place, number, readers)
        }
        return Watch(number: number, task: task)
    }

    /// What an ended watch still had to tell is about an earlier time, and changes nothing.
    private func change(at place: Int, inWatch number: Int, _ change: (inout State) -> [ManagerEvent]) {
        self.change { state in state.readerWatches[place]?.number == number ? change(&state) : [] }
    }

    /// A backend has stopped telling: nobody sees any more what happens to its readers. Those who were told that they are there
    /// are told that they are not, and the next who wants to hear of readers has them watched anew.
    private func watchEnded(at place: Int, _ number: Int, _ readers: Set<String>) {
        change(at: place, inWatch: number) { state in
            let events = state.readers.departure(of: readers).flatMap { state.happened($0) }
            state.readerWatches[place] = nil
            if state.readerWatches.isEmpty { state.readers.isWatchOver() }
            return events
        }
    }

    private func leave(_ number: Int) {
        let ended = state.withLock { state -> [Int: Watch] in
            state.watchers[number] = nil
            guard !state.watchers.values.contains(where: \.watchesReaders) else { return [:] }
            defer { state.readerWatches = [:] }
            state.readers.isWatchOver()
            return state.readerWatches
        }
        for watch in ended.values { watch.task.cancel() }
    }
}
