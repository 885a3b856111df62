import Glibc
import SmartCard
import Synchronization

/// The pace of a wait at an NFC reader; another thread may end the wait.
///
/// libnfc's own abort is not used: it works only while a call waits. At any other time it has no effect and leaks a
/// descriptor.
final class NFCWait: Sendable {
    /// The time between two looks: four looks a second.
    private static let pace = Duration.milliseconds(250)
    /// Leaves the device to others between two looks, even when these take long.
    private static let shortestPause = Duration.milliseconds(1)

    private let cancelled = Atomic<Bool>(false)
    private let lastLook = Mutex(ContinuousClock.now)
    /// Posted by `cancel`. The pointer is set once, and its system calls are safe from any thread.
    nonisolated(unsafe) private let bell = UnsafeMutablePointer<sem_t>.allocate(capacity: 1)

    init() { sem_init(bell, 0, 0) }

    deinit {
        sem_destroy(bell)
        bell.deallocate()
    }

    /// Whether `cancel` was called.
    var isCancelled: Bool { cancelled.load(ordering: .acquiring) }

    /// Ends the wait: a pause at once, a look at the field when it is done. From any thread, at any time, any number of
    /// times.
    func cancel() {
        cancelled.store(true, ordering: .releasing)
        sem_post(bell)
    }

    /// Blocks until it is time for the next look, or the deadline.
    func pause(upTo deadline: ContinuousClock.Instant? = nil) {
        let next = lastLook.withLock { $0 + Self.pace }
        pause(for: max(Self.shortestPause, min(next, deadline ?? next) - ContinuousClock.now))
        lastLook.withLock { $0 = ContinuousClock.now }
    }

    /// Blocks for the duration, or until the wait is cancelled.
    func pause(for duration: Duration) {
        var end = timespec()
        clock_gettime(CLOCK_REALTIME, &end)
        let nanoseconds = end.tv_nsec + Int(duration / .nanoseconds(1))
        end.tv_sec += nanoseconds / 1_000_000_000
        end.tv_nsec = nanoseconds % 1_000_000_000
        while !isCancelled, sem_timedwait(bell, &end) != 0, errno == EINTR {}
    }
}

extension NFCPort {
    /// One look at the field.
    /// - Parameter isAwaiting: whether to wait for a card to arrive. If the chip can do that itself, it waits for a third
    ///   of a second.
    func isCardPresent(awaiting isAwaiting: Bool) throws(ReaderError) -> Bool {
        let isWaiting = isAwaiting && connection.letsChipWait
        return try use { (device) throws(ReaderError) in
            try device.look(isWaiting: isWaiting) == .smartCard
        }
    }
}
