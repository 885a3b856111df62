import Glibc

/// A value guarded by a lock; threads can wait for it to change.
///
/// Uses the system's own lock, which ThreadSanitizer understands and which may be held during a blocking call; a `Mutex`
/// may be held only for a moment.
package final class Monitor<Value>: @unchecked Sendable {
    // The lock guards `value`; both pointers are set once.
    private let lock = UnsafeMutablePointer<pthread_mutex_t>.allocate(capacity: 1)
    private let changed = UnsafeMutablePointer<pthread_cond_t>.allocate(capacity: 1)
    private var value: Value

    /// Takes over a value that nobody else holds.
    package init(_ value: sending Value) {
        self.value = value
        pthread_mutex_init(lock, nil)
        var attributes = pthread_condattr_t()
        pthread_condattr_init(&attributes)
        pthread_condattr_setclock(&attributes, CLOCK_MONOTONIC)
        pthread_cond_init(changed, &attributes)
        pthread_condattr_destroy(&attributes)
    }

    deinit {
        pthread_cond_destroy(changed)
        pthread_mutex_destroy(lock)
        changed.deallocate()
        lock.deallocate()
    }

    /// Gives one thread at a time access to the value, then wakes the threads that wait for a change.
    package func withLock<Result, Failure: Error>(
        _ body: (inout Value) throws(Failure) -> Result
    ) throws(Failure) -> Result {
        pthread_mutex_lock(lock)
        defer {
            pthread_cond_broadcast(changed)
            pthread_mutex_unlock(lock)
        }
        return try body(&value)
    }

    /// Examines the value now and after each change, until `look` returns a result.
    /// - Parameter timeout: the longest wait; `nil` means no limit.
    /// - Returns: the result; `nil` on timeout.
    package func wait<Result, Failure: Error>(
        timeout: Duration?, until look: (inout Value) throws(Failure) -> Result?
    ) throws(Failure) -> Result? {
        pthread_mutex_lock(lock)
        defer {
            pthread_cond_broadcast(changed)
            pthread_mutex_unlock(lock)
        }
        var deadline = timeout.map(Self.deadline)
        while true {
            if let result = try look(&value) { return result }
            if deadline == nil {
                pthread_cond_wait(changed, lock)
            } else if var end = deadline {
                if pthread_cond_timedwait(changed, lock, &end) == ETIMEDOUT { return try look(&value) }
                deadline = end
            }
        }
    }

    private static func deadline(after timeout: Duration) -> timespec {
        var now = timespec()
        clock_gettime(CLOCK_MONOTONIC, &now)
        let (seconds, attoseconds) = max(.zero, min(timeout, .seconds(1_000_000_000))).components
        let nanoseconds = now.tv_nsec + Int(attoseconds / 1_000_000_000)
        return timespec(
            tv_sec: now.tv_sec + time_t(seconds) + time_t(nanoseconds / 1_000_000_000),
            tv_nsec: nanoseconds % 1_000_000_000)
    }
}
