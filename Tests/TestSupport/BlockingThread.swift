import SmartCard

/// Runs what blocks on a thread of its own, so that tests that talk to readers do not hold up the others. The body
/// belongs to the test that awaits it: its expectations count there.
public actor BlockingThread {
    private let thread = CardThread()
    /// The thread.
    public nonisolated var unownedExecutor: UnownedSerialExecutor { thread.asUnownedSerialExecutor() }

    /// Starts a thread; it ends with the last reference.
    public init() {}

    /// Runs the body on this thread.
    public func run<Result: Sendable>(_ body: @Sendable () throws -> Result) rethrows -> Result { try body() }

    /// Runs the body on a thread for it alone.
    public static func run<Result: Sendable>(
        _ body: @Sendable () throws -> Result
    ) async rethrows -> Result {
        try await BlockingThread().run(body)
    }
}
