import CPCSC
import SmartCard
import Synchronization

/// A wait for changes at readers that another thread may end.
///
/// `SCardCancel` is lost when the query it should end has not begun yet. Therefore a flag stands beside it, and the
/// wait goes in slices of a second.
final class PCSCWait: Sendable {
    private struct State {
        var isCancelled = false
        var context: PCSCContext?
    }
    private let state = Mutex(State())

    /// Whether `cancel` was called.
    var isCancelled: Bool { state.withLock { $0.isCancelled } }

    /// Ends the wait, within a second at the latest. From any thread, at any time, more than once.
    func cancel() {
        state.withLock {
            $0.isCancelled = true
            $0.context?.cancel()
        }
    }

    /// Waits for a change from what `query` acknowledged, a second at the most.
    /// - Returns: the status code of `SCardGetStatusChange`; a wait that was cancelled says so.
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
