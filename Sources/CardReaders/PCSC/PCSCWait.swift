import CPCSC
import SmartCard
import Synchronization

/// A wait for reader changes; another thread may end it.
///
/// `SCardCancel` has no effect if the query it should end has not begun yet. So a flag is set as well, and the wait
/// proceeds in slices of one second.
final class PCSCWait: Sendable {
    private struct State {
        var isCancelled = false
        var context: PCSCContext?
    }
    private let state = Mutex(State())

    /// Whether `cancel` was called.
    var isCancelled: Bool { state.withLock { $0.isCancelled } }

    /// Ends the wait within a second. From any thread, at any time, any number of times.
    func cancel() {
        state.withLock {
            $0.isCancelled = true
            $0.context?.cancel()
        }
    }

    /// Waits for a change from what `query` acknowledged, for at most a second.
    /// - Returns: the status code of `SCardGetStatusChange`; it shows whether the wait was cancelled.
    func slice(_ query: PCSCStatusQuery, _ context: PCSCContext, upTo limit: Duration = .seconds(1)) -> LONG {
        let isCancelled = state.withLock {
            $0.context = context
            return $0.isCancelled
        }
        defer { state.withLock { $0.context = nil } }
        if isCancelled { return LONG(SCARD_E_CANCELLED) }
        let status = query.ask(context, milliseconds: limit.millisecondsOfASlice)
        return self.isCancelled ? LONG(SCARD_E_CANCELLED) : status
    }
}

extension Duration {
    /// The duration in milliseconds, rounded up; at least 0, at most a slice of a second.
    fileprivate var millisecondsOfASlice: UInt32 {
        let milliseconds = (self / .milliseconds(1)).rounded(.up)
        return UInt32(max(0, min(milliseconds, 1000)))
    }
}
