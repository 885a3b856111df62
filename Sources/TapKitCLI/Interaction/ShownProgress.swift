import Synchronization

/// Pauses the progress line while the user is asked something.
///
/// The line is referenced weakly: it knows the manager, which knows the interaction, and a cycle would keep CVCs in
/// memory.
final class ShownProgress: Sendable {
    private struct Line {
        weak var line: ProgressLine?
    }

    private let shown = Mutex(Line())

    /// Sets the line to pause, as long as it exists.
    func show(_ line: ProgressLine) { shown.withLock { $0.line = line } }

    /// Asks.
    func asking<Answer>(_ ask: () throws -> Answer) async throws -> Answer {
        let line = shown.withLock { $0.line }
        await line?.pause()
        defer { line?.resume() }
        return try ask()
    }
}
