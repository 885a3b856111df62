import Synchronization

/// The line that shows what flows do, around what is asked: shown to its end before anything is asked, and going on behind it.
///
/// The line is whoever shows it's: it knows the manager, which knows the interaction, and CVCs shall not outlive their use.
final class ShownProgress: Sendable {
    private struct Line {
        weak var line: ProgressLine?
    }

    private let shown = Mutex(Line())

    /// Shows it from now on, as long as somebody has it.
    func show(_ line: ProgressLine) { shown.withLock { $0.line = line } }

    /// Asks.
    func asking<Answer>(_ ask: () throws -> Answer) async throws -> Answer {
        let line = shown.withLock { $0.line }
        await line?.pause()
        defer { line?.resume() }
        return try ask()
    }
}
