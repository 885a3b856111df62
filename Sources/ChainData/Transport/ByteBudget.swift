import Synchronization

/// How many bytes a server may still send, over all its connections and reconnections, until the next task.
///
/// Memory for answers is proportional to their bytes, so this limits memory too.
final class ByteBudget: Sendable {
    /// The total number of bytes allowed.
    let limit: Int
    private let left: Mutex<Int>

    init(_ limit: Int) {
        self.limit = limit
        left = Mutex(limit)
    }

    /// Counts received bytes.
    /// - Returns: whether they are within the budget.
    func take(_ count: Int) -> Bool {
        left.withLock { left in
            guard count <= left else {
                left = 0
                return false
            }
            left -= count
            return true
        }
    }

    /// Resets the count for a new task.
    func renew() { left.withLock { $0 = limit } }

    /// The error for exceeding the budget.
    var refusal: ChainError { .tooLarge(limit: limit, of: .conversation) }
}
