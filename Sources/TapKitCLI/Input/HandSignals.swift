import Glibc
import Synchronization

/// SIGUSR1 and SIGUSR2 as the hand that takes a simulated card off its reader and lays it back.
enum HandSignals {
    private struct Hand: Sendable {
        let pull: @Sendable () -> Void
        let insert: @Sendable () -> Void
    }

    private static let hand = Mutex<Hand?>(nil)

    /// The signals, blocked in every thread from the process's start so that they wait for `take`.
    static let numbers = [SIGUSR1, SIGUSR2]

    /// Takes the signals up in a thread of its own, for as long as the process lives.
    static func take(pull: @escaping @Sendable () -> Void, insert: @escaping @Sendable () -> Void) {
        hand.withLock { $0 = Hand(pull: pull, insert: insert) }
        SignalThread.start(HandSignals.numbers) { number in
            guard let hand = HandSignals.hand.withLock({ $0 }) else { return }
            if number == SIGUSR1 { hand.pull() } else { hand.insert() }
        }
    }
}
