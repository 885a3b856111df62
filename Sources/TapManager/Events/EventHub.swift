import SmartCard
import Synchronization
import TapProtocol

/// Delivers every event to all watchers, in the same order to each, without waiting for any of them. Watches the
/// readers as long as someone wants their events.
final class EventHub: Sendable {
    /// Receives one watcher's events.
    struct Watcher: Sendable {
        let continuation: AsyncStream<ManagerEvent>.Continuation
        let cut: ManagerEvents.Cut
        let watchesReaders: Bool

        /// - Returns: false if the watcher has fallen too far behind, and must be dropped.
        func take(_ event: ManagerEvent) -> Bool {
            if case .reader = event, !watchesReaders { return true }
            guard case .dropped = continuation.yield(event) else { return true }
            cut.isOff.store(true, ordering: .releasing)
            return false
        }
    }

    /// The watch over one backend's readers.
    private struct Watch {
        let number: Int
        let task: Task<Void, Never>
    }

    private struct State {
        var watchers: [Int: Watcher] = [:]
        /// Numbers for watchers and for watches over readers.
        var nextNumber = 0
        var lastEvents: [CardIdent: FlowEvent] = [:]
        var readers = ReaderKnowledge()
        /// By the backends' positions.
        var readerWatches: [Int: Watch] = [:]

        mutating func number() -> Int {
            nextNumber += 1
            return nextNumber
        }

        /// - Returns: what to report about it.
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

    /// - Parameter readerEvents: each starts to watch the readers of one backend: first what is there, then every
    ///   change.
    init(readerEvents: [@Sendable () -> AsyncStream<ReaderEvent>]) { self.readerEvents = readerEvents }

    deinit {
        // Outside the lock: the end of a stream removes it from the list.
        let (watchers, watches) = state.withLock { ($0.watchers.values, $0.readerWatches.values) }
        for watcher in watchers { watcher.continuation.finish() }
        for watch in watches { watch.task.cancel() }
    }

    /// Reports what has happened.
    func publish(_ event: ManagerEvent) {
        change { state in
            if case .flow(let card, let event) = event { state.lastEvents[card] = event }
            return [event]
        }
    }

    /// Records what was found on a reader; `nil`: no card. Reports it if it is new.
    /// - Parameter removals: what `beginsLook` returned.
    func saw(_ card: SeenCard?, on reader: String, since removals: Int) {
        change { state in state.readers.saw(card, on: reader, since: removals).map(ManagerEvent.card) }
    }

    /// Someone starts to examine a reader, which takes a while.
    func beginsLook(at reader: String) -> Int { state.withLock { $0.readers.removals(on: reader) } }

    /// Changes what is known, and reports it, under one lock: everyone gets the events of two cards in the same order,
    /// and whoever watches before looking misses nothing. Yielding does not block.
    private func change(_ change: (inout State) -> [ManagerEvent]) {
        let late = state.withLock { state in state.tell(change(&state)) }
        // The end of a stream takes the lock.
        for watcher in late { watcher.continuation.finish() }
    }

    func lastEvent(of card: CardIdent) -> FlowEvent? { state.withLock { $0.lastEvents[card] } }
    var lastEvents: [CardIdent: FlowEvent] { state.withLock { $0.lastEvents } }
    var readers: ReaderKnowledge { state.withLock { $0.readers } }

    // MARK: Watchers

    /// A new stream. One that watches readers starts with what is there now.
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
        // Also when its owner releases it.
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

    /// What an ended watch still had to report is outdated, and changes nothing.
    private func change(at place: Int, inWatch number: Int, _ change: (inout State) -> [ManagerEvent]) {
        self.change { state in state.readerWatches[place]?.number == number ? change(&state) : [] }
    }

    /// A backend has stopped reporting, so its readers are no longer seen. Watchers are told that the readers are gone,
    /// and the next who wants their events starts a new watch.
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
