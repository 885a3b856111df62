import Bitcoin
import ByteCodec
import ExplainedErrors
import Synchronization

/// What a client was asked, and has not answered yet.
final class ClientQuestions: Sendable {
    /// A client's answer.
    struct Reply: Sendable {
        /// `nil`: the client answered with an error.
        let result: JSONValue?
        /// A result that was a CVC or a backup key, which is not in `result`.
        let secret: SecretBytes?
    }

    private struct Open {
        let isSecret: Bool
        let answer: CheckedContinuation<Reply?, Never>
    }

    private struct State {
        var nextNumber = 0
        var open: [Int: Open] = [:]
        var early: Set<Int> = []
        var isOver = false
    }

    private let connection: any ClientConnection
    private let answerTime: Duration
    private let state = Mutex(State())

    init(_ connection: any ClientConnection, answerTime: Duration) {
        (self.connection, self.answerTime) = (connection, answerTime)
    }

    /// Whether a CVC or a backup key is awaited.
    var expectsSecret: Bool { state.withLock { $0.open.values.contains(where: \.isSecret) } }

    /// Asks, and waits for the answer.
    /// - Throws: `CancellationError`, also when the client leaves; `ClientSilence`.
    func ask(_ method: String, _ params: JSONText, isSecret: Bool = false) async throws -> Reply {
        let number = state.withLock { state in
            state.nextNumber += 1
            return state.nextNumber
        }
        // The answer, the client's end and the time limit race; whoever is first takes the question away.
        let limit = Task {
            try? await Task.sleep(for: answerTime)
            if !Task.isCancelled { give(nil, to: number) }
        }
        defer { limit.cancel() }
        let reply = await withTaskCancellationHandler {
            await withCheckedContinuation { continuation in
                let isOver = state.withLock { state in
                    guard !state.isOver, state.early.remove(number) == nil else { return true }
                    state.open[number] = Open(isSecret: isSecret, answer: continuation)
                    return false
                }
                guard !isOver else { return continuation.resume(returning: nil) }
                connection.send(RPCText.question(.number(Int64(number)), method, params).framed)
            }
        } onCancel: {
            give(nil, to: number)
        }
        guard let reply else {
            if Task.isCancelled || state.withLock({ $0.isOver }) { throw CancellationError() }
            throw ClientSilence()
        }
        return reply
    }

    /// Takes an answer; one to no question is ignored.
    func take(_ answer: RPCAnswer, _ secret: SecretBytes?) {
        guard case .number(let number) = answer.id else { return }
        give(Reply(result: answer.result, secret: secret), to: Int(number))
    }

    /// The client is gone.
    func end() {
        let open = state.withLock { state in
            state.isOver = true
            defer { state.open = [:] }
            return state.open.values
        }
        for question in open { question.answer.resume(returning: nil) }
    }

    private func give(_ reply: Reply?, to number: Int) {
        let question = state.withLock { state -> Open? in
            guard let question = state.open.removeValue(forKey: number) else {
                // Cancelled before it was asked.
                if reply == nil { state.early.insert(number) }
                return nil
            }
            return question
        }
        question?.answer.resume(returning: reply)
    }
}

/// A client did not answer a question in time.
struct ClientSilence: ExplainedError {
    var code: ErrorCode { .timedOut }
    var message: String { "The program did not answer the question in time." }
}
