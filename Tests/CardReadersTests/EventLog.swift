import Foundation
import SmartCard
import Synchronization

/// What a watch tells, for a test that blocks.
final class EventLog: Sendable {
    private let events = Mutex<[ReaderEvent]>([])
    private let listener = Mutex<Task<Void, Never>?>(nil)

    /// Listens until the log is gone.
    init(_ stream: AsyncStream<ReaderEvent>) {
        let task = Task(executorPreference: ListeningExecutor.shared) { [weak self] in
            for await event in stream { self?.events.withLock { $0.append(event) } }
        }
        listener.withLock { $0 = task }
    }

    deinit { listener.withLock { $0?.cancel() } }

    /// Takes the next event.
    /// - Returns: `nil` when none comes in a time that is long even when all the other tests are busy.
    func next(within limit: Duration = .seconds(120)) -> ReaderEvent? {
        let deadline = ContinuousClock.now + limit
        while ContinuousClock.now < deadline {
            if let event = events.withLock({ $0.isEmpty ? nil : $0.removeFirst() }) { return event }
            usleep(10_000)
        }
        return nil
    }
}

/// A thread for those who listen: the pool of the others is busy with tests that compute.
private final class ListeningExecutor: TaskExecutor {
    static let shared = ListeningExecutor()
    private let queue = DispatchQueue(label: "listeners")

    func enqueue(_ job: consuming ExecutorJob) {
        let job = UnownedJob(job)
        queue.async { job.runSynchronously(on: self.asUnownedTaskExecutor()) }
    }
}

extension AsyncStream<ReaderEvent> {
    /// The events of one reader alone.
    func ofReader(_ spec: String) -> AsyncStream<ReaderEvent> {
        AsyncStream { continuation in
            let task = Task(executorPreference: ListeningExecutor.shared) {
                for await event in self where event.spec == spec { continuation.yield(event) }
                continuation.finish()
            }
            continuation.onTermination = { _ in task.cancel() }
        }
    }
}
