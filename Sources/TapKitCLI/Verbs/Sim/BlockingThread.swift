import SmartCard

/// Runs long blocking work on a separate thread, outside the shared pool.
actor BlockingThread {
    private let thread = CardThread()

    nonisolated var unownedExecutor: UnownedSerialExecutor { thread.asUnownedSerialExecutor() }

    /// Runs `work` to completion.
    func run(_ work: @Sendable () -> Void) { work() }
}
