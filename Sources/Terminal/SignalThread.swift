import Glibc
import Synchronization
import Threads

/// A thread that handles signals, so that the response to one can do anything, not only what is allowed in a signal
/// handler.
///
/// A handler writes the signal's number to a pipe. Blocking the signals and waiting with `sigwait` would not work: the
/// thread that an asynchronous `main` runs on does not block them.
package enum SignalThread {
    /// The pipe's writing end; -1 until it exists.
    private static let writeEnd = Atomic<Int32>(-1)
    private static let actions = Mutex<[Int32: @Sendable () -> Void]>([:])

    /// Calls `action` on a separate thread each time one of the signals arrives, for the life of the process.
    package static func take(_ numbers: [Int32], action: @escaping @Sendable (Int32) -> Void) {
        actions.withLock { actions in
            for number in numbers { actions[number] = { action(number) } }
        }
        startOnce()
        var handling = sigaction()
        handling.__sigaction_handler.sa_handler = { SignalThread.noteSignal($0) }
        handling.sa_flags = SA_RESTART
        for number in numbers { sigaction(number, &handling, nil) }
    }

    /// Runs in the signal handler: only async-signal-safe calls.
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
