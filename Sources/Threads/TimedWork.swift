/// Blocking work that may never end.
package enum TimedWork {
    /// Runs work on a thread of its own, and waits for its result. When there is one, the thread has released the work.
    ///
    /// If the system cannot create a thread, the work runs on this one, without a time limit.
    /// - Parameter limit: how long to wait.
    /// - Returns: the result; `nil` if there is none by then: the work continues, and its result is dropped.
    package static func result<Result: Sendable>(
        within limit: Duration, of work: @escaping @Sendable () -> Result
    ) -> Result? {
        let outcome = Monitor<Result?>(nil)
        let errand = Errand(work)
        let hasStarted = DetachedThread.run {
            let result = errand.run()
            outcome.withLock { $0 = result }
        }
        guard hasStarted else { return work() }
        return outcome.wait(timeout: limit) { $0 }
    }

    /// Work that is done, and released, once, by one thread.
    private final class Errand<Result>: @unchecked Sendable {
        private var work: (@Sendable () -> Result)?

        init(_ work: @escaping @Sendable () -> Result) { self.work = work }

        func run() -> Result? {
            defer { work = nil }
            return work?()
        }
    }
}
