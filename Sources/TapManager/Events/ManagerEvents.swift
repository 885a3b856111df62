import Synchronization

/// One caller's stream of events, independent of others.
///
/// Nothing waits for its owner: unread events are kept. If the owner falls more than 16 384 events behind, the stream is
/// cut off: it ends after what is in it, and `isCutOff` shows that more has happened. Such a caller reads the state
/// again (``CardManager/observe(watchingReaders:)``).
public struct ManagerEvents: AsyncSequence, Sendable {
    /// How many unread events are kept.
    static let mostUnread = 16_384

    /// Whether a stream was cut off.
    final class Cut: Sendable {
        let isOff = Atomic<Bool>(false)
    }

    private let stream: AsyncStream<ManagerEvent>
    private let cut: Cut
    let continuation: AsyncStream<ManagerEvent>.Continuation

    init() {
        (stream, continuation) = AsyncStream.makeStream(bufferingPolicy: .bufferingOldest(Self.mostUnread))
        cut = Cut()
    }

    /// The events, in order; for one task.
    public func makeAsyncIterator() -> AsyncStream<ManagerEvent>.Iterator { stream.makeAsyncIterator() }

    /// Ends this stream, after what is already in it.
    public func end() { continuation.finish() }

    /// Whether its owner fell so far behind that the stream ends early.
    public var isCutOff: Bool { cut.isOff.load(ordering: .acquiring) }

    /// The other end, which does not keep the stream alive.
    func watcher(watchesReaders: Bool) -> EventHub.Watcher {
        EventHub.Watcher(continuation: continuation, cut: cut, watchesReaders: watchesReaders)
    }
}
