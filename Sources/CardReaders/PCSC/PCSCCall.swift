import SmartCard
import Synchronization
import Threads

/// Calls of the PC/SC service that wait for it, or for a card or a reader, each on a thread of its own.
///
/// When a reader is silent, its driver waits for minutes, and the service with it. Whoever has waited long enough leaves the
/// call behind. Until it ends, nobody begins another one at that reader, as it would only wait, too.
enum PCSCCall {
    private struct Running {
        let number: Int
        let reader: String
        let start: ContinuousClock.Instant
    }

    private static let running = Mutex<(calls: [Running], count: Int)>(([], 0))

    /// The result of a call; `nil` if it has not ended in time.
    static func result<Result: Sendable>(
        at reader: String, within limit: Duration, of call: @escaping @Sendable () -> Result
    ) -> Result? {
        let number = running.withLock { running in
            running.count += 1
            running.calls.append(Running(number: running.count, reader: reader, start: .now))
            return running.count
        }
        return TimedWork.result(within: limit) {
            defer { running.withLock { $0.calls.removeAll { $0.number == number } } }
            return call()
        }
    }

    /// Whether a call at a reader was left behind, and has not ended.
    static func isStuck(at reader: String, after limit: Duration) -> Bool {
        let latest = ContinuousClock.now - limit
        return running.withLock { $0.calls.contains { $0.reader == reader && $0.start <= latest } }
    }
}
