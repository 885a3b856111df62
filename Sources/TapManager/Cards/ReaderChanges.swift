import SmartCard

/// Events reduced to the fact that something changed; several that nobody waited for yet count as one.
final class ReaderChanges: Sendable {
    private let changes: AsyncStream<Void>
    private let signal: AsyncStream<Void>.Continuation
    private let forwarder: Task<Void, Never>

    init(_ events: AsyncStream<ReaderEvent>) {
        let (changes, signal) = AsyncStream<Void>.makeStream(bufferingPolicy: .bufferingNewest(1))
        self.changes = changes
        self.signal = signal
        forwarder = Task { for await _ in events { signal.yield() } }
    }

    deinit { forwarder.cancel() }

    /// Waits for a change, or until the time is over; `nil`: no limit.
    /// - Returns: false if the task was cancelled.
    func next(within limit: Duration?) async -> Bool {
        let signal = signal
        let alarm = limit.map { limit in
            Task {
                try await Task.sleep(for: limit)
                signal.yield()
            }
        }
        defer { alarm?.cancel() }
        for await _ in changes { return true }
        return false
    }
}
