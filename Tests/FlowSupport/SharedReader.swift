import SmartCard
import TapSimulator

/// The same card in another program's hands: it takes its turns between ours, without cutting the power.
package struct SharedReader: CardReader {
    package let card: SimulatedCard

    package init(card: SimulatedCard) { self.card = card }

    package var spec: String { "sim:" }
    package var name: String { "SIMULATED card, shared" }
    package var kind: ReaderKind { .sim }

    package func connect() throws(ReaderError) -> any CardChannel { Channel(card: card) }
    package func waitForCard(isPresent: Bool, timeout: Duration?) throws(ReaderError) {}
    package func cancelWaiting() {}

    private final class Channel: CardChannel {
        let card: SimulatedCard

        init(card: SimulatedCard) { self.card = card }

        func transmit(_ command: [UInt8]) throws(ReaderError) -> [UInt8] { card.process(apdu: command) }
        func beginTransaction() throws(ReaderError) {}
        func endTransaction() {}
        func reconnect() throws(ReaderError) {}
        func disconnect() {}
    }
}
