/// Retries a request after temporary failures, waiting twice as long each time, or as long as the server asks. A request
/// that timed out is retried once.
struct Retrying: Sendable {
    private static let longestBackoff: Duration = .seconds(30)

    private let settings: ChainSettings

    init(_ settings: ChainSettings) { self.settings = settings }

    /// Runs the attempts.
    func run<Value: Sendable>(
        _ attempt: @Sendable () async -> Result<Value, ChainError>
    ) async throws(ChainError) -> Value {
        var backoff = settings.firstBackoff
        var attempts = 0
        while true {
            let error: ChainError
            switch await attempt() {
            case .success(let value): return value
            case .failure(let failure): error = failure
            }
            var most = settings.retries
            if case .unreachable(.timedOut, _) = error { most = min(most, 1) }
            guard error.isTransient, attempts < most else { throw error }
            attempts += 1
            var wait = backoff
            if case .rateLimited(let asked?) = error {
                guard asked <= settings.longestRetryAfter else { throw error }
                wait = max(wait, asked)
            }
            do { try await settings.sleep(wait) } catch { throw .cancelled }
            guard !Task.isCancelled else { throw .cancelled }
            backoff = min(backoff * 2, Self.longestBackoff)
        }
    }
}
