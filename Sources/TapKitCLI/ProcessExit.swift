import CardReaders
import Glibc
import Pinentry
import Synchronization
import Terminal

/// The one way the process ends, whether after an answer, a failure or a signal.
///
/// First it releases what others need: the terminal's echo and screen, a running pinentry, the readers. Each has a time
/// limit. Answers are already written, with nothing left in a buffer; SQLite keeps the store consistent at every
/// moment; the kernel releases locks with the process.
///
/// Then it calls `_exit`. `exit` would first run the destructors of libpcsclite, libcurl's TLS, libnfc and Swift's own
/// libraries while other threads are still inside them: a reader watch, a card's thread that is closing its connection,
/// an abandoned request. The process would crash with SIGSEGV after its answer. Waiting for the threads would not help:
/// a service that never answers blocks one forever.
///
/// Nothing registered to run at `exit` is run; the front end registers nothing. Sanitizers report at `_exit` as well;
/// coverage of the command itself needs LLVM's continuous mode (`LLVM_PROFILE_FILE=%c…`, and a build with the
/// compiler's `-runtime-counter-relocation`).
enum ProcessExit {
    /// How long the readers may take when the work is done; usually milliseconds.
    private static let calm = Duration.seconds(2)
    /// How long they may take when the user insists.
    private static let haste = Duration.milliseconds(300)
    /// The longest time that ending may take, in seconds. A second attempt waits this long for the first.
    private static let longestEnd: UInt32 = 4

    private static let hasBegun = Atomic<Bool>(false)

    /// Ends the process with a status.
    static func with(_ status: Int32) -> Never {
        giveBack(within: calm)
        _exit(status)
    }

    /// Ends the process because the user insists: longer exchanges with a card are not waited for.
    /// - Parameter report: says so; not called if the process is ending already, with its own answer. It must not wait.
    static func insisted(_ report: () -> Void) -> Never {
        giveBack(within: haste, report)
        _exit(ExitStatus.interrupted.rawValue)
    }

    /// Ends the process by a signal that was caught, so that its parent sees the cause.
    static func by(_ number: Int32) -> Never {
        giveBack(within: haste)
        signal(number, SIG_DFL)
        var own = sigset_t()
        sigemptyset(&own)
        sigaddset(&own, number)
        pthread_sigmask(SIG_UNBLOCK, &own, nil)
        raise(number)
        // The shell's convention, in case the signal did not end the process.
        _exit(128 + number)
    }

    private static func giveBack(within limit: Duration, _ report: () -> Void = {}) {
        // Two threads may get here: the verb's and the signal thread. The status of the first one counts.
        let isFirst = !hasBegun.exchange(true, ordering: .acquiringAndReleasing)
        if !isFirst { sleep(longestEnd) }
        TerminalEcho.restore()
        if isFirst { report() }
        Pinentry.endRunning()
        ReaderWork.settle(within: limit)
    }
}
