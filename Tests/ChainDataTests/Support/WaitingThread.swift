import Dispatch
import Synchronization

/// Runs what is asynchronous on the thread that waits for it, so that the processor's time that it takes is that thread's.
/// Actors and child tasks follow; what starts tasks or threads of its own does not.
final class WaitingThread: TaskExecutor {
    private let jobs = Mutex<[UnownedJob]>([])
    private let news = DispatchSemaphore(value: 0)

    func enqueue(_ job: consuming ExecutorJob) {
        let job = UnownedJob(job)
        jobs.withLock { $0.append(job) }
        news.signal()
    }

    /// Runs the body to its end. Blocks the thread that calls it, which must be none of those that tasks share.
    static func run<Value: Sendable>(_ body: @escaping @Sendable () async throws -> Value) throws -> Value {
        let thread = WaitingThread()
        let outcome = Outcome<Value>()
        Task(executorPreference: thread) {
            do { outcome.give(.success(try await body())) } catch { outcome.give(.failure(error)) }
        }
        while true {
            thread.news.wait()
            let job = thread.jobs.withLock { $0.removeFirst() }
            job.runSynchronously(on: thread.asUnownedTaskExecutor())
            if let result = outcome.taken { return try result.get() }
        }
    }

    /// What came of a body.
    private final class Outcome<Value: Sendable>: Sendable {
        private let result = Mutex<Result<Value, any Error>?>(nil)

        var taken: Result<Value, any Error>? { result.withLock { $0 } }

        func give(_ result: Result<Value, any Error>) { self.result.withLock { $0 = result } }
    }
}
