import Glibc
import Synchronization

/// Something one thread tells another.
final class Flag: Sendable {
    private let value = Mutex(false)
    var isSet: Bool { value.withLock { $0 } }
    func set() { value.withLock { $0 = true } }

    /// Waits until it is set.
    /// - Returns: whether it is, in a time that is long even when all the other tests are busy.
    @discardableResult
    func wait() -> Bool {
        let deadline = ContinuousClock.now + .seconds(60)
        while !isSet, ContinuousClock.now < deadline { usleep(1_000) }
        return isSet
    }
}
