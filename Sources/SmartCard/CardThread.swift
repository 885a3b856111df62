import Glibc
import Threads

/// A dedicated thread for one reader: the executor of the actor that owns the reader's channel.
///
/// Calls to readers block; on this thread they delay nobody else. Jobs run one at a time, in order. Signals go to other
/// threads, so they never interrupt a call. The thread ends when the last reference to the executor is gone and its
/// jobs are done.
public final class CardThread: SerialExecutor {
    private let queue = JobQueue()

    /// Starts the thread.
    public init() {
        let hasStarted = DetachedThread.run { [queue] in queue.run() }
        precondition(hasStarted, "The system cannot create another thread.")
    }

    deinit { queue.close() }

    /// Appends a job to the queue.
    public func enqueue(_ job: consuming ExecutorJob) {
        queue.append(UnownedJob(job), self)
    }

    /// The reference that actors return as their `unownedExecutor`.
    public func asUnownedSerialExecutor() -> UnownedSerialExecutor { UnownedSerialExecutor(ordinary: self) }
}

/// Jobs in order, and the loop that runs them. The lock guards every member.
private final class JobQueue: @unchecked Sendable {
    private let lock = UnsafeMutablePointer<pthread_mutex_t>.allocate(capacity: 1)
    private let changed = UnsafeMutablePointer<pthread_cond_t>.allocate(capacity: 1)
    /// A job keeps its executor alive until it has run.
    private var jobs: [(job: UnownedJob, executor: CardThread)] = []
    private var isClosed = false

    init() {
        pthread_mutex_init(lock, nil)
        pthread_cond_init(changed, nil)
    }

    deinit {
        pthread_cond_destroy(changed)
        pthread_mutex_destroy(lock)
        changed.deallocate()
        lock.deallocate()
    }

    func append(_ job: UnownedJob, _ executor: CardThread) {
        pthread_mutex_lock(lock)
        jobs.append((job, executor))
        pthread_cond_signal(changed)
        pthread_mutex_unlock(lock)
    }

    func close() {
        pthread_mutex_lock(lock)
        isClosed = true
        pthread_cond_signal(changed)
        pthread_mutex_unlock(lock)
    }

    func run() {
        while let batch = next() {
            for (job, executor) in batch { job.runSynchronously(on: executor.asUnownedSerialExecutor()) }
        }
    }

    private func next() -> [(job: UnownedJob, executor: CardThread)]? {
        pthread_mutex_lock(lock)
        defer { pthread_mutex_unlock(lock) }
        while jobs.isEmpty {
            if isClosed { return nil }
            pthread_cond_wait(changed, lock)
        }
        defer { jobs.removeAll(keepingCapacity: true) }
        return jobs
    }
}
