import Synchronization

/// A single answer that one task waits for: from another thread, or because the task is cancelled.
final class OneAnswer<Value: Sendable>: Sendable {
    private enum State {
        case open
        case waiting(CheckedContinuation<Result<Value, ChainError>, Never>)
        case given(Result<Value, ChainError>)
        case over
    }

    private let state = Mutex(State.open)

    /// Whether an answer has been given.
    var isOver: Bool {
        state.withLock {
            switch $0 {
            case .open, .waiting: false
            case .given, .over: true
            }
        }
    }

    /// Gives the answer; later ones are dropped.
    func give(_ result: Result<Value, ChainError>) {
        let continuation: CheckedContinuation<Result<Value, ChainError>, Never>? = state.withLock { state in
            switch state {
            case .open: state = .given(result)
            case .waiting(let continuation):
                state = .over
                return continuation
            case .given, .over: break
            }
            return nil
        }
        continuation?.resume(returning: result)
    }

    /// Waits for the answer. On cancellation it is `.cancelled` immediately, and `abandon` is called.
    func value(onCancel abandon: @escaping @Sendable () -> Void = {}) async -> Result<Value, ChainError> {
        await withTaskCancellationHandler {
            await withCheckedContinuation { continuation in
                let given: Result<Value, ChainError>? = state.withLock { state in
                    if case .given(let result) = state {
                        state = .over
                        return result
                    }
                    state = .waiting(continuation)
                    return nil
                }
                if let given { continuation.resume(returning: given) }
            }
        } onCancel: {
            give(.failure(.cancelled))
            abandon()
        }
    }
}
