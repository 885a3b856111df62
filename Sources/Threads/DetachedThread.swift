import Glibc

/// Runs work that blocks on a thread of its own, beside everything that is concurrent.
package enum DetachedThread {
    /// Starts a thread, which ends with the work. Signals go to other threads, so they interrupt no call.
    /// - Returns: whether the system had a thread left.
    package static func run(_ work: @escaping @Sendable () -> Void) -> Bool {
        let box = Unmanaged.passRetained(Work(run: work))
        var thread = pthread_t()
        let status = pthread_create(
            &thread, nil,
            { argument in
                guard let argument else { return nil }
                var signals = sigset_t()
                sigfillset(&signals)
                pthread_sigmask(SIG_BLOCK, &signals, nil)
                Unmanaged<Work>.fromOpaque(argument).takeRetainedValue().run()
                return nil
            }, box.toOpaque())
        guard status == 0 else {
            box.release()
            return false
        }
        pthread_detach(thread)
        return true
    }

    private final class Work {
        let run: @Sendable () -> Void

        init(run: @escaping @Sendable () -> Void) { self.run = run }
    }
}
