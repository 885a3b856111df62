import SmartCard
import Synchronization
import Threads

/// The answer to a question that may never be answered.
enum TimedAnswer {
    /// Why there is none.
    enum Failure {
        /// Nothing for this many seconds.
        case silent(seconds: Int)
        /// The question could not be asked.
        case noThread(ReaderError)
    }

    /// How many seconds an answer may take.
    private static let limit = 3

    /// Asks on a thread of its own, which is abandoned if there is no answer within 3 seconds.
    /// - Parameter failing: the answer to give instead.
    static func of<Answer: Sendable>(
        _ question: @escaping @Sendable () -> Answer, failing: @escaping @Sendable (Failure) -> Answer
    ) async -> Answer {
        await withCheckedContinuation { continuation in
            let first = FirstAnswer(continuation)
            if !DetachedThread.run({ first.give(question()) }) {
                first.give(
                    failing(.noThread(ReaderError(.transportFailed, "The system cannot create another thread."))))
            }
            Task {
                try? await Task.sleep(for: .seconds(limit))
                first.give(failing(.silent(seconds: limit)))
            }
        }
    }
}

/// Passes the first of several answers on, and ignores the rest.
private final class FirstAnswer<Answer: Sendable>: Sendable {
    private let continuation: Mutex<CheckedContinuation<Answer, Never>?>

    init(_ continuation: CheckedContinuation<Answer, Never>) { self.continuation = Mutex(continuation) }

    func give(_ answer: Answer) {
        let waiting = continuation.withLock { waiting in
            defer { waiting = nil }
            return waiting
        }
        waiting?.resume(returning: answer)
    }
}
