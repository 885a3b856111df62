import SmartCard
import Synchronization
import TapSimulator

/// A simulated reader whose service may be away for a while.
package final class UnsteadyReader: CardReader {
    private let reader: SimulatedReader
    private let refusals = Mutex(0)

    package init(_ reader: SimulatedReader) { self.reader = reader }

    package var spec: String { reader.spec }
    package var name: String { reader.name }
    package var backend: ReaderBackend { reader.backend }

    /// Refuses so many connections as if no service ran.
    package func refuse(connections count: Int) { refusals.withLock { $0 = count } }

    package func connect() throws(ReaderError) -> any CardChannel {
        let isAway = refusals.withLock { count in
            defer { count = max(0, count - 1) }
            return count > 0
        }
        guard !isAway else { throw ReaderError(.noService, "The service is being restarted.") }
        return try reader.connect()
    }

    package func waitForCard(isPresent: Bool, timeout: Duration?) throws(ReaderError) {
        try reader.waitForCard(isPresent: isPresent, timeout: timeout)
    }

    package func cancelWaiting() { reader.cancelWaiting() }
}
