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
        let status = query.ask(context, milliseconds: min(limit, .seconds(1)).wholeMilliseconds)
        return self.isCancelled ? LONG(SCARD_E_CANCELLED) : status
    }
}

extension Duration {
    /// The duration in milliseconds, rounded up, not below 0.
    fileprivate var wholeMilliseconds: UInt32 {
        let (seconds, attoseconds) = components
        guard self > .zero else { return 0 }
        return UInt32(clamping: seconds.multipliedReportingOverflow(by: 1000).partialValue)
            + UInt32(clamping: (attoseconds + 999_999_999_999_999) / 1_000_000_000_000_000)
    }
}
