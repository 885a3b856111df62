import SmartCard
import TapSimulator

/// The same card in another program's hands: it takes its turns between ours, without cutting the power.
struct SharedReader: CardReader {
    let card: SimulatedCard

    var spec: String { "sim:" }
    var name: String { "SIMULATED card, shared" }
    var backend: ReaderBackend { .sim }

    func connect() throws(ReaderError) -> any CardChannel { Channel(card: card) }
    func waitForCard(isPresent: Bool, timeout: Duration?) throws(ReaderError) {}
    func cancelWaiting() {}

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
