import Synchronization

/// How many bytes a server may still send, over all its connections and however often it ends one, until the next task.
///
/// What is held of answers is in proportion to their bytes, so this bounds memory, too.
final class ByteBudget: Sendable {
    /// All bytes that may come.
    let limit: Int
    private let left: Mutex<Int>

    init(_ limit: Int) {
        self.limit = limit
        left = Mutex(limit)
    }

    /// Takes note of bytes that came.
    /// - Returns: whether they may.
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

    /// Begins anew: for another task.
    func renew() { left.withLock { $0 = limit } }

    /// The refusal of what goes beyond.
    var refusal: ChainError { .tooLarge(limit: limit, of: .conversation) }
}
