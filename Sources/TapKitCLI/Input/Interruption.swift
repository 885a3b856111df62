import Glibc
import Synchronization
import Threads

/// Ctrl-C, and the system's request to end: the first one cancels the verb's task, so that it can keep what it has;
/// one that comes well after it ends the process at once. A second press in haste changes nothing: it would lose what is
/// being kept.
final class Interruption: Sendable {
    /// The only instance.
    static let shared = Interruption()

    /// How long the verb has to keep what it has.
    private static let grace = Duration.seconds(2)

    /// How long the longest exchange with a reader may take, and keeping what came of it.
    private static let longestEnd = Duration.seconds(15)

    private static let numbers = [SIGINT, SIGTERM, SIGHUP]

    private let onSignal = Mutex<(@Sendable () -> Void)?>(nil)
    private let firstSignal = Mutex<ContinuousClock.Instant?>(nil)
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
    var isRaised: Bool { firstSignal.withLock { $0 != nil } }

    /// Takes the signals up. SIGQUIT (Ctrl-\) ends the process without asking anybody, as it ends any program.
    func install() {
        SignalThread.take(Self.numbers) { _ in Interruption.shared.take() }
        SignalThread.take([SIGQUIT]) { ProcessExit.by($0) }
    }

    /// What the first signal does; at once when it came already.
    func onFirstSignal(_ action: @escaping @Sendable () -> Void) {
        onSignal.withLock { $0 = action }
        if isRaised { action() }
    }

    private func take() {
        let now = ContinuousClock.now
        let first = firstSignal.withLock { first in
            defer { first = first ?? now }
            return first
        }
        if let first {
            guard now - first >= Self.grace else { return }
            ProcessExit.with(ExitStatus.interrupted.rawValue, inHaste: true)
        }
        Console.write([0], to: writeEnd)
        onSignal.withLock { $0 }?()
        _ = DetachedThread.run(Self.seeToTheEnd)
    }

    /// Says that the end takes its time, and why not to be impatient; ends the process when a call into the system never
    /// comes back.
    private static func seeToTheEnd() {
        pause(grace)
        Console.write(
            "Ending as soon as the reader answers. Ctrl-C once more ends at once.\n", to: STDERR_FILENO)
        pause(longestEnd)
        ProcessExit.with(ExitStatus.interrupted.rawValue, inHaste: true)
    }

    private static func pause(_ duration: Duration) { sleep(UInt32(duration.components.seconds)) }
}
