import Synchronization

/// One caller's stream of events; those of others are their own.
///
/// Nobody waits for its owner: what is not read yet is kept. Of one who falls further behind than `mostUnread` the stream is cut
/// off: it ends behind what is in it, and `isCutOff` tells that more has happened. Such a caller looks at everything anew
/// (``CardManager/observe(watchingReaders:)``).
public struct ManagerEvents: AsyncSequence, Sendable {
    /// So many unread events are kept.
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

    /// Ends this stream, behind what is already in it.
    public func end() { continuation.finish() }

    /// Whether its owner fell so far behind that the stream ends before what has happened does.
    public var isCutOff: Bool { cut.isOff.load(ordering: .acquiring) }

    /// The other end, which does not keep the stream alive.
    func watcher(watchesReaders: Bool) -> EventHub.Watcher {
        EventHub.Watcher(continuation: continuation, cut: cut, watchesReaders: watchesReaders)
    }
}
