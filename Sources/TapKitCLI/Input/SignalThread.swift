import Glibc
import Synchronization
import Threads

/// A thread that is told of signals, so that what follows from one may do anything, not only what a signal handler may.
///
/// A handler writes the signal's number to a pipe. Waiting for blocked signals with `sigwait` would not do: the thread on
/// which an asynchronous `main` ends up lets every signal through.
enum SignalThread {
    /// The pipe's writing end; -1 until it is there.
    private static let writeEnd = Atomic<Int32>(-1)
    private static let actions = Mutex<[Int32: @Sendable () -> Void]>([:])

    /// Calls `action` each time one of the signals comes, on a thread of its own, for as long as the process lives.
    static func take(_ numbers: [Int32], action: @escaping @Sendable (Int32) -> Void) {
        actions.withLock { actions in
            for number in numbers { actions[number] = { action(number) } }
        }
        startOnce()
        var handling = sigaction()
        handling.__sigaction_handler.sa_handler = { SignalThread.noteSignal($0) }
        handling.sa_flags = SA_RESTART
        for number in numbers { sigaction(number, &handling, nil) }
    }

    /// Runs in the handler: nothing but what is safe there.
    private static func noteSignal(_ number: Int32) {
        let problem = errno
        var byte = UInt8(truncatingIfNeeded: number)
        _ = write(writeEnd.load(ordering: .acquiring), &byte, 1)
        errno = problem
    }

    private static func startOnce() {
        actions.withLock { _ in
            guard writeEnd.load(ordering: .acquiring) == -1 else { return }
            var ends: [Int32] = [-1, -1]
            guard pipe(&ends) == 0, ends.allSatisfy({ fcntl($0, F_SETFD, FD_CLOEXEC) == 0 }) else { return }
            let readEnd = ends[0]
            guard DetachedThread.run({ run(readEnd) }) else { return }
            writeEnd.store(ends[1], ordering: .releasing)
        }
    }

    private static func run(_ readEnd: Int32) -> Never {
        while true {
            var number: UInt8 = 0
            guard read(readEnd, &number, 1) == 1 else { continue }
            actions.withLock { $0[Int32(number)] }?()
        }
    }
}
