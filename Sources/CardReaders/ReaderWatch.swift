import SmartCard
import Synchronization

/// The events of many readers, of both kinds, as one stream.
public enum ReaderWatch {
    /// Puts streams together; events come in the order in which they happen. It ends with the last of them, and ends all
    /// when it is ended.
    public static func merged(_ streams: [AsyncStream<ReaderEvent>]) -> AsyncStream<ReaderEvent> {
        AsyncStream { continuation in
            let task = Task {
                await withTaskGroup(of: Void.self) { group in
                    for stream in streams {
                        group.addTask { for await event in stream { continuation.yield(event) } }
                    }
                }
                continuation.finish()
            }
            continuation.onTermination = { _ in task.cancel() }
        }
    }

    /// How many watches are at work on their threads.
    private static let running = Atomic<Int>(0)

    /// Starts a watch on a thread of its own, which the end of the process waits for.
    static func start(_ watch: @escaping @Sendable () -> Void) {
        running.add(1, ordering: .relaxed)
        let hasStarted = DetachedThread.run {
            watch()
            running.subtract(1, ordering: .releasing)
        }
        if !hasStarted { running.subtract(1, ordering: .releasing) }
    }

    /// Lets go of every reader before the process ends: waits until the watches whose streams have ended are through
    /// with what they were doing, and closes the libnfc devices. A process that ends in the middle of a word leaves a
    /// chip that answers the next program with the rest of this one's business; and the PC/SC library breaks down when
    /// it is taken apart under a thread that uses it.
    /// - Parameter limit: how long to wait; a watch that still has a listener never ends.
    /// - Returns: whether nothing is at work any more.
    public static func settle(within limit: Duration = .seconds(2)) async -> Bool {
        let deadline = ContinuousClock.now + limit
        while running.load(ordering: .acquiring) > 0 {
            guard ContinuousClock.now < deadline else { return false }
            try? await Task.sleep(for: .milliseconds(2))
        }
        NFCPort.closeAll()
        return true
    }
}
