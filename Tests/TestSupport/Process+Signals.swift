import Foundation

extension Process {
    /// Starts the program with no signal blocked.
    ///
    /// A child inherits the blocked signals of the thread that starts it, and the threads of Swift's tasks block nearly
    /// all: a program that is started from a test with `run` hears neither SIGINT nor SIGTERM.
    func runWithSignals() throws {
        var none = sigset_t()
        var before = sigset_t()
        sigemptyset(&none)
        pthread_sigmask(SIG_SETMASK, &none, &before)
        defer { pthread_sigmask(SIG_SETMASK, &before, nil) }
        try run()
    }
}
