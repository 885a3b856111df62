import SmartCard
import Synchronization
import TapSimulator

/// A simulated reader whose service may be away for a while.
package final class UnsteadyReader: CardReader {
    private let reader: SimulatedReader
    private let refusals = Mutex((connections: 0, waits: 0))
    private let denials = Mutex(0)

    package init(_ reader: SimulatedReader) { self.reader = reader }

    package var spec: String { reader.spec }
    package var name: String { reader.name }
    package var kind: ReaderKind { reader.kind }

    /// Refuses so many connections, and so many waits for a card, as if no service ran.
    package func refuse(connections: Int = 0, waits: Int = 0) { refusals.withLock { $0 = (connections, waits) } }

    /// Denies access in so many waits for a card, as the system does until udev has given a reader to its group.
    package func deny(waits: Int) { denials.withLock { $0 = waits } }

    package func connect() throws(ReaderError) -> any CardChannel {
        try refuse(\.connections)
        return try reader.connect()
    }

    /// Refuses once, if that is still to be done.
    private func refuse(_ count: WritableKeyPath<(connections: Int, waits: Int), Int>) throws(ReaderError) {
        let isAway = refusals.withLock { refusals in
            guard refusals[keyPath: count] > 0 else { return false }
            refusals[keyPath: count] -= 1
            return true
        }
        guard !isAway else { throw ReaderError(.noService, "The service is being restarted.") }
    }

    package func waitForCard(isPresent: Bool, timeout: Duration?) throws(ReaderError) {
        try refuse(\.waits)
        let isDenied = denials.withLock { left in
            defer { left = max(0, left - 1) }
            return left > 0
        }
        guard !isDenied else { throw ReaderError(.permissionDenied, "The reader is not yet anybody's.") }
        try reader.waitForCard(isPresent: isPresent, timeout: timeout)
    }

    package func cancelWaiting() { reader.cancelWaiting() }
}
