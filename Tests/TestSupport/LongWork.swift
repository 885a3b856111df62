import Glibc

/// The work of tests that keep a processor busy for seconds: few at a time, and on threads that let others go first. So
/// tests that wait for cards, programs and services are served in time beside them.
public enum LongWork {
    private static let turnstile = Turnstile(places: 2)
    private static let niceness: Int32 = 10

    /// Runs the body on a thread of low priority when its turn has come. Its expectations count for the test that awaits
    /// it.
    public static func run<Result: Sendable>(
        _ body: @Sendable @escaping () throws -> Result
    ) async throws -> Result {
        try await inTurn {
            try await BlockingThread.run {
                setpriority(__priority_which_t(PRIO_PROCESS.rawValue), 0, niceness)
                return try body()
            }
        }
    }

    /// Runs a body that waits in between, on whatever threads it uses, when its turn has come.
    public static func inTurn<Result: Sendable>(
        _ body: @Sendable () async throws -> Result
    ) async throws -> Result {
        try await turnstile.pass(body)
    }
}
