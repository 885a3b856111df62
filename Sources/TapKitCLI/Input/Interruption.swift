import Glibc
import Synchronization

/// Ctrl-C, and the system's request to end: the first one cancels the verb's task, so that it can keep what it has;
/// a second one ends the process at once.
///
/// Installed once, before any thread starts, since threads inherit the blocked signals.
final class Interruption: Sendable {
    /// The only instance.
    static let shared = Interruption()

    private let onSignal = Mutex<(@Sendable () -> Void)?>(nil)
    private let wasRaised = Atomic<Bool>(false)
    /// Becomes readable with the first signal, for code that waits in `poll`.
    let readEnd: Int32
    private let writeEnd: Int32

    private init() {
        var ends: [Int32] = [-1, -1]
        pipe2(&ends, O_CLOEXEC)
        readEnd = ends[0]
        writeEnd = ends[1]
    }

    /// Whether a signal came.
    var isRaised: Bool { wasRaised.load(ordering: .acquiring) }

    /// Blocks the signals in this thread and those it starts, and takes them up in a thread of its own.
    func install() {
        var signals = sigset_t()
        sigemptyset(&signals)
        for number in [SIGINT, SIGTERM, SIGHUP] { sigaddset(&signals, number) }
        pthread_sigmask(SIG_BLOCK, &signals, nil)
        var thread = pthread_t()
        let status = pthread_create(
            &thread, nil,
            { _ in
                Interruption.shared.takeSignals()
                return nil
            }, nil)
        precondition(status == 0, "The system refuses another thread.")
        pthread_detach(thread)
    }

    /// What the first signal does.
    func onFirstSignal(_ action: @escaping @Sendable () -> Void) {
        onSignal.withLock { $0 = action }
        if isRaised { action() }
    }

    private func takeSignals() {
        var signals = sigset_t()
        sigemptyset(&signals)
        for number in [SIGINT, SIGTERM, SIGHUP] { sigaddset(&signals, number) }
        while true {
            var number: Int32 = 0
            guard sigwait(&signals, &number) == 0 else { continue }
            if wasRaised.exchange(true, ordering: .acquiringAndReleasing) {
                TerminalEcho.restore()
                _exit(ExitStatus.interrupted.rawValue)
            }
            Console.write([0], to: writeEnd)
            onSignal.withLock { $0 }?()
        }
    }
}
