import Synchronization

/// The line that shows what flows do, around what is asked: shown to its end before anything is asked, and going on behind it.
final class ShownProgress: Sendable {
    private let line = Mutex<ProgressLine?>(nil)

    /// Shows it from now on.
    func show(_ newLine: ProgressLine) { line.withLock { $0 = newLine } }

    /// Asks.
    func asking<Answer>(_ ask: () throws -> Answer) async throws -> Answer {
        let line = line.withLock { $0 }
        await line?.pause()
        defer { line?.resume() }
        return try ask()
    }
}
