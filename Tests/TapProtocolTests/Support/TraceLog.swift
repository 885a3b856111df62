import Synchronization

@testable import TapProtocol

/// Keeps what a trace is told.
final class TraceLog: Sendable {
    private let kept = Mutex<[TraceEvent]>([])

    var events: [TraceEvent] { kept.withLock { $0 } }

    @Sendable func record(_ event: TraceEvent) { kept.withLock { $0.append(event) } }
}
