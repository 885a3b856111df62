import Glibc
import SmartCard
import Synchronization

/// The pace of a wait at an NFC reader, which another thread may end.
///
/// libnfc's own abort is not used: it works only while a call waits, and is lost, with a descriptor, at any other time.
final class NFCWait: Sendable {
    /// Between two looks: four a second.
    private static let pace = Duration.milliseconds(250)
    /// Leaves the device to others between two looks even when these take long.
    private static let shortestPause = Duration.milliseconds(1)

    private let cancelled = Atomic<Bool>(false)
    private let lastLook = Mutex(ContinuousClock.now)

    /// Whether `cancel` was called.
    var isCancelled: Bool { cancelled.load(ordering: .acquiring) }

    /// Ends the wait, in a quarter of a second at the latest. From any thread, at any time, more than once.
    func cancel() { cancelled.store(true, ordering: .releasing) }

    /// Blocks until it is time for the next look, or the deadline.
    func pause(upTo deadline: ContinuousClock.Instant? = nil) {
        let next = lastLook.withLock { $0 + Self.pace }
        let now = ContinuousClock.now
        let left = max(Self.shortestPause, min(next, deadline ?? next) - now)
        usleep(UInt32(left / .microseconds(1)))
        lastLook.withLock { $0 = ContinuousClock.now }
    }
}

extension NFCPort {
    /// One look at the field.
    /// - Parameter isAwaiting: whether to wait for a card to come: where the chip can be left to do that, it is, for a
    ///   third of a second.
    func isCardPresent(awaiting isAwaiting: Bool) throws(ReaderError) -> Bool {
        let isWaiting = isAwaiting && connection.letsChipWait
        return try use { (device) throws(ReaderError) in
            try device.look(isWaiting: isWaiting) == .smartCard
        }
    }
}
