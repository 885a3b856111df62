import SmartCard
import Synchronization
import Threads

extension SimulatedReader {
    /// How long it may take, after a stream has ended, until nobody watches any more.
    private static let slice = Duration.milliseconds(200)

    /// What happens at the reader, until the stream is ended: first what is there now, then every change.
    public func events() -> AsyncStream<ReaderEvent> {
        AsyncStream { continuation in
            let end = EndOfWatch()
            continuation.onTermination = { _ in end.reach() }
            continuation.yield(.readerAttached(self))
            let hasStarted = DetachedThread.run { [self] in
                var isPresent = false
                while !end.isReached {
                    // Nothing happened, or somebody's wait was ended: both mean to look again.
                    guard (try? waitForCard(isPresent: !isPresent, timeout: Self.slice)) != nil else { continue }
                    isPresent.toggle()
                    continuation.yield(isPresent ? .cardInserted(self) : .cardRemoved(self))
                }
            }
            if !hasStarted { continuation.finish() }
        }
    }
}

/// Whether a stream is not read any more.
private final class EndOfWatch: Sendable {
    private let flag = Atomic<Bool>(false)

    var isReached: Bool { flag.load(ordering: .acquiring) }

    func reach() { flag.store(true, ordering: .releasing) }
}
