import CardReaders
import Glibc
import Pinentry
import Synchronization

/// The one end of the process, for every way there: an answer, a failure, a signal.
///
/// First it gives back what others have a claim to: the terminal with its echo and its screen, the pinentry that asks in
/// our name, the readers. Each has a limit. Answers are written already, with nothing held in a buffer; the store is as
/// SQLite keeps it at every moment; locks are the kernel's, and go with the process.
///
/// Then the kernel ends it (`_exit`). `exit` would take libpcsclite, libcurl's TLS, libnfc and Swift's own libraries apart
/// first, by destructors that run while other threads are inside them: a watch in a status query, a card's thread that
/// closes its line, a request that nobody waits for any more. Such a process dies of SIGSEGV after its answer. No wait for
/// the threads would help, for a service that never answers keeps one for ever.
///
/// What runs at `exit` is lost: the front end has nothing there. Of the tools, the sanitizers report at `_exit` as well;
/// coverage of the command itself needs LLVM's continuous mode (`LLVM_PROFILE_FILE=%c…`, and a build with the compiler's
/// `-runtime-counter-relocation`).
enum ProcessExit {
    /// How long the readers may take when the work is done; mostly it is milliseconds.
    private static let calm = Duration.seconds(2)
    /// How long when somebody insists.
    private static let haste = Duration.milliseconds(300)
    /// How long an end may take at most, in seconds; a second one waits so long for the first.
    private static let longestEnd: UInt32 = 4

    private static let hasBegun = Atomic<Bool>(false)

    /// Ends the process with a status.
    /// - Parameter isHasty: whether somebody insists: an exchange with a card that takes longer is then not waited for.
    static func with(_ status: Int32, inHaste isHasty: Bool = false) -> Never {
        giveBack(within: isHasty ? haste : calm)
        _exit(status)
    }

    /// Ends the process by a signal that was taken up, so that its parent sees of what it died.
    static func by(_ number: Int32) -> Never {
        giveBack(within: haste)
        signal(number, SIG_DFL)
        var own = sigset_t()
        sigemptyset(&own)
        sigaddset(&own, number)
        pthread_sigmask(SIG_UNBLOCK, &own, nil)
        raise(number)
        // A shell's convention, should the signal not have done it.
        _exit(128 + number)
    }

    private static func giveBack(within limit: Duration) {
        // Two threads may come here: the verb's, and the one that is told of signals. The first one's status counts.
        if hasBegun.exchange(true, ordering: .acquiringAndReleasing) { sleep(longestEnd) }
        TerminalEcho.restore()
        Pinentry.endRunning()
        ReaderWork.settle(within: limit)
    }
}
