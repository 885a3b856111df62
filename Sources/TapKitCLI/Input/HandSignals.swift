import Glibc
import Terminal

/// SIGUSR1 removes a simulated card from its reader, SIGUSR2 puts it back.
enum HandSignals {
    /// Handles the signals for the life of the process.
    static func take(pull: @escaping @Sendable () -> Void, insert: @escaping @Sendable () -> Void) {
        SignalThread.take([SIGUSR1, SIGUSR2]) { $0 == SIGUSR1 ? pull() : insert() }
    }
}
