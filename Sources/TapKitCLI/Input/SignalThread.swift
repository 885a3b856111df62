import Glibc

/// A thread that waits for signals, so that what follows from one may do anything, not only what a signal handler may.
enum SignalThread {
    private final class Work {
        let numbers: [Int32]
        let action: @Sendable (Int32) -> Void

        init(_ numbers: [Int32], _ action: @escaping @Sendable (Int32) -> Void) {
            self.numbers = numbers
            self.action = action
        }
    }

    /// Blocks signals in this thread and in those it starts from now on.
    static func block(_ numbers: [Int32]) {
        var signals = set(of: numbers)
        pthread_sigmask(SIG_BLOCK, &signals, nil)
    }

    /// Calls `action` with each of the signals that comes; they must be blocked in every thread.
    static func start(_ numbers: [Int32], action: @escaping @Sendable (Int32) -> Void) {
        var thread = pthread_t()
        let status = pthread_create(
            &thread, nil,
            { argument in
                guard let argument else { return nil }
                SignalThread.run(Unmanaged<Work>.fromOpaque(argument).takeRetainedValue())
            }, Unmanaged.passRetained(Work(numbers, action)).toOpaque())
        precondition(status == 0, "The system refuses another thread.")
        pthread_detach(thread)
    }

    private static func run(_ work: Work) -> Never {
        var signals = set(of: work.numbers)
        while true {
            var number: Int32 = 0
            if sigwait(&signals, &number) == 0 { work.action(number) }
        }
    }

    private static func set(of numbers: [Int32]) -> sigset_t {
        var signals = sigset_t()
        sigemptyset(&signals)
        for number in numbers { sigaddset(&signals, number) }
        return signals
    }
}
