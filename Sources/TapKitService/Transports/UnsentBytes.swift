import Synchronization

/// How much is on its way to a client, and who waits until that is little enough.
final class UnsentBytes: Sendable {
    private struct State {
        var count = 0
        var isOver = false
        var waiting: [CheckedContinuation<Void, Never>] = []
    }

    /// How many keep others from following, where it is possible to wait.
    private static let comfortable = 1 << 20

    private let state = Mutex(State())

    /// More is on its way.
    /// - Returns: how much there is in all.
    func add(_ count: Int) -> Int {
        state.withLock { state in
            state.count += count
            return state.count
        }
    }

    /// It was sent.
    func remove(_ count: Int) {
        letOthersFollow { state in
            state.count -= count
            return state.count <= Self.comfortable
        }
    }

    /// Nobody has to wait any more.
    func end() {
        letOthersFollow { state in
            state.isOver = true
            return true
        }
    }

    /// Returns when more may follow.
    func room() async {
        await withCheckedContinuation { continuation in
            let isRoom = state.withLock { state in
                guard !state.isOver, state.count > Self.comfortable else { return true }
                state.waiting.append(continuation)
                return false
            }
            if isRoom { continuation.resume() }
        }
    }

    private func letOthersFollow(_ change: (inout State) -> Bool) {
        let waiting = state.withLock { state -> [CheckedContinuation<Void, Never>] in
            guard change(&state) else { return [] }
            defer { state.waiting = [] }
            return state.waiting
        }
        for continuation in waiting { continuation.resume() }
    }
}
