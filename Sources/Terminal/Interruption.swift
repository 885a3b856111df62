import Glibc
import Synchronization
import Threads

/// Ctrl-C, and the system's request to end. The first signal cancels the verb's task, so that it can save its work; a
/// later one ends the process at once. A second one that follows immediately is ignored, because work would be lost.
package final class Interruption: Sendable {
    /// The only instance.
    package static let shared = Interruption()

    /// How long the verb has to save its work.
    private static let grace = Duration.seconds(2)

    /// How long the longest exchange with a reader may take, including saving its result.
    private static let longestEnd = Duration.seconds(15)

    private static let numbers = [SIGINT, SIGTERM, SIGHUP]

    private let onSignal = Mutex<(@Sendable () -> Void)?>(nil)
    private let onInsistence = Mutex<(@Sendable () -> Never)?>(nil)
    private let firstSignal = Mutex<ContinuousClock.Instant?>(nil)
    /// Becomes readable on the first signal, for code that waits in `poll`.
    package let readEnd: Int32
    private let writeEnd: Int32

    private init() {
        var ends: [Int32] = [-1, -1]
        pipe(&ends)
        for end in ends { _ = fcntl(end, F_SETFD, FD_CLOEXEC) }
        readEnd = ends[0]
        writeEnd = ends[1]
    }

    /// Whether a signal has arrived.
    package var isRaised: Bool { firstSignal.withLock { $0 != nil } }

    /// Handles the signals. SIGQUIT (Ctrl-\) ends the process without asking, as in any program.
    /// - Parameters:
    ///   - end: ends the process at once, because the user insists, or because a system call never returns.
    ///   - quit: ends the process by a signal.
    package func install(end: @escaping @Sendable () -> Never, quit: @escaping @Sendable (Int32) -> Never) {
        onInsistence.withLock { $0 = end }
        SignalThread.take(Self.numbers) { _ in Interruption.shared.take() }
        SignalThread.take([SIGQUIT]) { quit($0) }
    }

    /// Sets what the first signal does; runs it at once if the signal has already arrived.
    package func onFirstSignal(_ action: @escaping @Sendable () -> Void) {
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
            end()
            return
        }
        Console.write([0], to: writeEnd)
        onSignal.withLock { $0 }?()
        _ = DetachedThread.run { Self.seeToTheEnd() }
    }

    /// Says why ending takes a while; ends the process if a system call never returns.
    private static func seeToTheEnd() {
        pause(grace)
        // If nobody reads standard error, this thread must get to the end as well.
        Console.noteWithoutWaiting(screen: [
            ScreenLine("Stopping as soon as the running step ends. Press Ctrl-C again to stop at once.")
        ])
        pause(longestEnd)
        Interruption.shared.end()
    }

    private func end() { onInsistence.withLock { $0 }?() }

    private static func pause(_ duration: Duration) { sleep(UInt32(duration.components.seconds)) }
}
