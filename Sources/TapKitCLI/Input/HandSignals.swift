import Glibc

/// SIGUSR1 and SIGUSR2 as the hand that takes a simulated card off its reader and lays it back.
enum HandSignals {
    /// Takes the signals up, for as long as the process lives.
    static func take(pull: @escaping @Sendable () -> Void, insert: @escaping @Sendable () -> Void) {
        SignalThread.take([SIGUSR1, SIGUSR2]) { $0 == SIGUSR1 ? pull() : insert() }
    }
}
