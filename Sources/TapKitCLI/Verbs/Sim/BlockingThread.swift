import SmartCard

/// Runs work that blocks for long on a thread of its own, off the pool that everything else shares.
actor BlockingThread {
    private let thread = CardThread()

    nonisolated var unownedExecutor: UnownedSerialExecutor { thread.asUnownedSerialExecutor() }

    /// Runs `work` to its end.
    func run(_ work: @Sendable () -> Void) { work() }
}
