import ByteCodec
import Synchronization

/// Collects the answers to a batch, and sends them together when the last one is there.
///
/// Spec: JSON-RPC 2.0, "Batch": none for notifications, and nothing at all if there are only notifications.
final class BatchAnswer: Sendable {
    private let state: Mutex<(open: Int, answers: [JSONText])>
    private let connection: any ClientConnection

    init(count: Int, _ connection: any ClientConnection) {
        state = Mutex((count, []))
        self.connection = connection
    }

    func take(_ answer: JSONText?) {
        let answers = state.withLock { state -> [JSONText] in
            if let answer { state.answers.append(answer) }
            state.open -= 1
            return state.open == 0 ? state.answers : []
        }
        guard !answers.isEmpty else { return }
        connection.send(JSONText.array(answers).framed)
    }
}
