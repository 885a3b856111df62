import Glibc
import Synchronization

/// Ctrl-C, and the system's request to end: the first one cancels the verb's task, so that it can keep what it has;
/// a second one ends the process at once.
final class Interruption: Sendable {
    /// The only instance.
    static let shared = Interruption()

    private static let numbers = [SIGINT, SIGTERM, SIGHUP]

    private let onSignal = Mutex<(@Sendable () -> Void)?>(nil)
    private let wasRaised = Atomic<Bool>(false)
    /// Becomes readable with the first signal, for code that waits in `poll`.
    let readEnd: Int32
    private let writeEnd: Int32

    private init() {
        var ends: [Int32] = [-1, -1]
        pipe(&ends)
        for end in ends { _ = fcntl(end, F_SETFD, FD_CLOEXEC) }
        readEnd = ends[0]
        writeEnd = ends[1]
    }

    /// Whether a signal came.
    var isRaised: Bool { wasRaised.load(ordering: .acquiring) }

    /// Takes the signals up.
    func install() { SignalThread.take(Self.numbers) { _ in Interruption.shared.take() } }

    /// What the first signal does; at once when it came already.
    func onFirstSignal(_ action: @escaping @Sendable () -> Void) {
        onSignal.withLock { $0 = action }
        if isRaised { action() }
    }

    private func take() {
        if wasRaised.exchange(true, ordering: .acquiringAndReleasing) {
            TerminalEcho.restore()
            _exit(ExitStatus.interrupted.rawValue)
        }
        Console.write([0], to: writeEnd)
        onSignal.withLock { $0 }?()
    }
}
