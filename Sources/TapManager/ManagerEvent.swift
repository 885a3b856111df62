import Synchronization
import TapProtocol

/// What a flow did, and on which card.
public struct ManagerEvent: Sendable, Equatable {
    /// The card.
    public let card: CardIdent
    /// What happened.
    public let event: FlowEvent

    /// An event of a card.
    public init(card: CardIdent, event: FlowEvent) {
        self.card = card
        self.event = event
    }
}

/// One caller's stream of events; those of others are their own.
public struct ManagerEvents: AsyncSequence, Sendable {
    fileprivate let stream: AsyncStream<ManagerEvent>
    fileprivate let continuation: AsyncStream<ManagerEvent>.Continuation

    /// The events, in order; for one task.
    public func makeAsyncIterator() -> AsyncStream<ManagerEvent>.Iterator { stream.makeAsyncIterator() }

    /// Ends this stream, behind what is already in it.
    public func end() { continuation.finish() }
}

/// Hands every event to all who watch, in the same order to each, without waiting for any of them.
final class EventHub: Sendable {
    private struct State {
        var watchers: [Int: AsyncStream<ManagerEvent>.Continuation] = [:]
        var nextWatcher = 0
        var lastEvents: [CardIdent: FlowEvent] = [:]
    }

    private let state = Mutex(State())

    deinit {
        // Outside the lock: the end of a stream takes it off the list.
        let watchers = state.withLock { Array($0.watchers.values) }
        for watcher in watchers { watcher.finish() }
    }

    func publish(_ event: ManagerEvent) {
        // Under the lock, so that nobody gets the events of two cards in another order. To yield waits for nobody.
        state.withLock { state in
            state.lastEvents[event.card] = event.event
            for watcher in state.watchers.values { watcher.yield(event) }
        }
    }

    func lastEvent(of card: CardIdent) -> FlowEvent? { state.withLock { $0.lastEvents[card] } }

    func events() -> ManagerEvents {
        let (stream, continuation) = AsyncStream.makeStream(of: ManagerEvent.self)
        let number = state.withLock { state in
            state.nextWatcher += 1
            state.watchers[state.nextWatcher] = continuation
            return state.nextWatcher
        }
        continuation.onTermination = { [weak self] _ in
            _ = self?.state.withLock { $0.watchers.removeValue(forKey: number) }
        }
        return ManagerEvents(stream: stream, continuation: continuation)
    }

}
