import Glibc
import Synchronization
import Threads

/// What this process has in hand at readers, on whatever threads: lines to the PC/SC service, and libnfc devices.
///
/// Others share the readers, so what was taken is given back before the process ends. The service resets a card whose line
/// just breaks off, under whoever else works with it; a chip that libnfc drives would keep its field on, or answer the
/// next program with the rest of this one's business.
public enum ReaderWork {
    private static let inHand = Atomic<Int>(0)
    private static let pause: UInt32 = 1_000

    /// Counts something that `end` gives back.
    static func begin() { inHand.add(1, ordering: .relaxed) }

    /// Ends what `begin` began.
    static func end() { inHand.subtract(1, ordering: .releasing) }

    /// Gives every reader back, for the end of the process: waits until the lines that nobody holds any more are closed,
    /// and closes the libnfc devices for good, each behind the call that is under way. From any thread, which it blocks.
    /// - Parameter limit: how long to wait; a line that somebody still holds never ends.
    /// - Returns: whether nothing is in hand any more.
    @discardableResult
    public static func settle(within limit: Duration) -> Bool {
        for port in NFCPort.inUse {
            begin()
            if !DetachedThread.run({ port.closeForGood { end() } }) { end() }
        }
        let deadline = ContinuousClock.now + limit
        while inHand.load(ordering: .acquiring) > 0 {
            guard ContinuousClock.now < deadline else { return false }
            usleep(pause)
        }
        return true
    }
}
