import SmartCard
import Synchronization
import Threads

extension SimulatedReader {
    /// How long watching may continue after a stream has ended.
    private static let slice = Duration.milliseconds(200)

    /// Events at the reader, until the stream is ended: first the present state, then every change.
    public func events() -> AsyncStream<ReaderEvent> {
        AsyncStream { continuation in
            let end = EndOfWatch()
            continuation.onTermination = { _ in end.reach() }
            continuation.yield(.readerAttached(self))
            let hasStarted = DetachedThread.run { [self] in
                var isPresent = false
                while !end.isReached {
                    // Nothing happened, or another caller's wait was cancelled: look again in both cases.
                    guard (try? waitForCard(isPresent: !isPresent, timeout: Self.slice)) != nil else { continue }
                    isPresent.toggle()
                    continuation.yield(isPresent ? .cardInserted(self) : .cardRemoved(self))
                }
            }
            if !hasStarted { continuation.finish() }
        }
    }
}

/// Whether a stream is no longer read.
private final class EndOfWatch: Sendable {
    private let flag = Atomic<Bool>(false)

    var isReached: Bool { flag.load(ordering: .acquiring) }

    func reach() { flag.store(true, ordering: .releasing) }
}
