import Glibc
import Synchronization
import Threads

/// What this process has open at readers, on any thread: connections to the PC/SC service, and libnfc devices.
///
/// Readers are shared, so everything is released before the process ends. If a connection just breaks off, the service
/// resets the card, even while another program uses it. A chip driven by libnfc would keep its field on, or send the next
/// program what was left over for this one.
public enum ReaderWork {
    private static let inHand = Atomic<Int>(0)
    private static let pause: UInt32 = 1_000

    /// Counts something that must be ended by `end`.
    static func begin() { inHand.add(1, ordering: .relaxed) }

    /// Ends what `begin` counted.
    static func end() { inHand.subtract(1, ordering: .releasing) }

    /// Releases every reader, because the process is ending: waits until the connections that nobody holds any more are
    /// closed, and closes the libnfc devices for good, each after the call in progress. May be called from any thread;
    /// blocks it.
    /// - Parameter limit: how long to wait; a connection that is still held never ends.
    /// - Returns: whether nothing is open any more.
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
