import SmartCard

@testable import TapProtocol
@testable import TapSimulator

/// What passed between an honest card and a session, and the card after each exchange: a step can be played again and
/// again up to an answer that is then another one, and goes on with the card as it was.
struct Tape {
    struct Exchange {
        /// `select`, or the command's name.
        let name: String
        let command: [UInt8]
        /// With the status word.
        let answer: [UInt8]
        let cardAfterwards: CardCore
    }

    /// The card before the first exchange.
    let start: CardCore
    var exchanges: [Exchange] = []
}

/// A line to a card that records a tape, or plays one.
final class TapeChannel: CardChannel, @unchecked Sendable {
    private enum Mode {
        case recording
        /// From the tape, with another answer to one of its exchanges.
        case playing(target: Int, answer: [UInt8])
        /// The session sends what it did not send then: the card itself answers.
        case live
    }

    private(set) var tape: Tape
    /// The card as it is now, when it had to be asked.
    private(set) var card: CardCore
    private var mode = Mode.recording
    private var position = 0

    init(card: CardCore) {
        tape = Tape(start: card)
        self.card = card
    }

    /// Forgets what was recorded; the card stays as it is.
    func recordAnew() {
        tape = Tape(start: card)
        mode = .recording
    }

    /// Plays the tape from its beginning, with another answer to one exchange.
    func play(answering target: Int, with answer: [UInt8]) {
        mode = .playing(target: target, answer: answer)
        position = 0
    }

    /// Whether the session sent anything else than on the tape.
    var hasLeftTape: Bool { if case .live = mode { true } else { false } }

    /// How many exchanges were played or recorded.
    var count: Int { position }

    /// The card after the last exchange.
    var cardAfterwards: CardCore {
        if case .playing = mode { cardOnTape } else { card }
    }

    func transmit(_ command: [UInt8]) throws(ReaderError) -> [UInt8] {
        defer { position += 1 }
        switch mode {
        case .playing(let target, let answer):
            if tape.exchanges.indices.contains(position), tape.exchanges[position].command == command {
                return position == target ? answer : tape.exchanges[position].answer
            }
            card = cardOnTape
            mode = .live
            return card.answer(toAPDU: command)
        case .live: return card.answer(toAPDU: command)
        case .recording:
            let answer = card.answer(toAPDU: command)
            tape.exchanges.append(
                Tape.Exchange(
                    name: CardExchange(number: position, command: command).name, command: command, answer: answer,
                    cardAfterwards: card))
            return answer
        }
    }

    private var cardOnTape: CardCore {
        tape.exchanges.indices.contains(position - 1) ? tape.exchanges[position - 1].cardAfterwards : tape.start
    }

    func beginTransaction() throws(ReaderError) {}
    func endTransaction() {}
    func reconnect() throws(ReaderError) {}
    func disconnect() {}
}

/// A reader with nothing but a tape on it.
struct TapeReader: CardReader {
    let channel: TapeChannel
    let spec = "sim:tape"
    let name = "Tape"
    let kind = ReaderKind.sim

    func connect() throws(ReaderError) -> any CardChannel { channel }
    func waitForCard(isPresent: Bool, timeout: Duration?) throws(ReaderError) {}
    func cancelWaiting() {}
}
