import Glibc

/// Ends another thread's waits for descriptors.
package final class WakeUp: Sendable {
    /// How a wait, or a transfer that waited, ended.
    package enum Outcome: Equatable {
        case done
        /// A wake-up came.
        case woken
        /// The time limit was reached.
        case timedOut
        /// The other side is gone, or the system refuses, with its reason.
        case failed(String)
    }

    /// Readable from a wake-up until a wait has noticed it.
    package let reading: Int32
    private let writing: Int32

    /// - Throws: `LocalSocketError.failed` if the system has no descriptors left.
    package init() throws(LocalSocketError) {
        var ends: [Int32] = [-1, -1]
        guard pipe(&ends) == 0 else {
            throw LocalSocketError(.failed, "A pipe could not be opened: \(String(cString: strerror(errno))).")
        }
        for end in ends {
            _ = fcntl(end, F_SETFL, O_NONBLOCK)
            _ = fcntl(end, F_SETFD, FD_CLOEXEC)
        }
        (reading, writing) = (ends[0], ends[1])
    }

    deinit {
        close(reading)
        close(writing)
    }

    /// Ends the current wait, or the next one.
    package func call() {
        // A full pipe wakes just as well.
        _ = write(writing, [0], 1)
    }

    /// Waits until a descriptor is ready, a wake-up comes, or the time limit is reached.
    /// - Parameters:
    ///   - other: a descriptor; -1 for none.
    ///   - events: what the descriptor should be ready for.
    ///   - milliseconds: the time limit; -1 for none.
    package func wait(for other: Int32 = -1, _ events: Int32 = POLLIN, milliseconds: Int32 = -1) -> Outcome {
        var descriptors = [
            pollfd(fd: reading, events: Int16(POLLIN), revents: 0),
            pollfd(fd: other, events: Int16(events), revents: 0),
        ]
        while true {
            let count = poll(&descriptors, 2, milliseconds)
            if count < 0, errno == EINTR { continue }
            guard count >= 0 else { return .failed(String(cString: strerror(errno))) }
            if descriptors[0].revents != 0 {
                var drained = [UInt8](repeating: 0, count: 64)
                while read(reading, &drained, drained.count) > 0 {}
                return .woken
            }
            return count == 0 ? .timedOut : .done
        }
    }

    /// The time limit for `wait` that ends at a deadline; `nil` means none.
    package static func milliseconds(to deadline: ContinuousClock.Instant?, _ now: ContinuousClock.Instant) -> Int32 {
        guard let deadline else { return -1 }
        let (seconds, attoseconds) = (deadline - now).components
        return Int32(clamping: max(0, seconds * 1_000 + attoseconds / 1_000_000_000_000_000 + 1))
    }
}
