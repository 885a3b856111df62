import ByteCodec
import Synchronization

/// What a client has received, in order.
final class Inbox: Sendable {
    private struct State {
        var messages: [JSONValue] = []
        var waiting: CheckedContinuation<JSONValue?, Never>?
        var isOver = false
    }

    private let state = Mutex(State())

    /// A message has come.
    func put(_ message: JSONValue) {
        let waiting = state.withLock { state -> CheckedContinuation<JSONValue?, Never>? in
            defer { state.waiting = nil }
            if state.waiting == nil { state.messages.append(message) }
            return state.waiting
        }
        waiting?.resume(returning: message)
    }

    /// Nothing more comes.
    func end() {
        let waiting = state.withLock { state -> CheckedContinuation<JSONValue?, Never>? in
            state.isOver = true
            defer { state.waiting = nil }
            return state.waiting
        }
        waiting?.resume(returning: nil)
    }

    /// The next message; `nil`: nothing more comes. For one reader.
    func next() async -> JSONValue? {
        await withCheckedContinuation { continuation in
            let (message, isOver) = state.withLock { state -> (JSONValue?, Bool) in
                guard state.messages.isEmpty else { return (state.messages.removeFirst(), false) }
                if !state.isOver { state.waiting = continuation }
                return (nil, state.isOver)
            }
            if message != nil || isOver { continuation.resume(returning: message) }
        }
    }
}
