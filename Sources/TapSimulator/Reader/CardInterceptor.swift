import ByteCodec
import SmartCard

/// Stands between an app and a simulated card, and does what fields, cables, readers and thieves do. For tests.
///
/// Both functions are called on the thread that transmits, so a delay is an interceptor that sleeps.
public protocol CardInterceptor: Sendable {
    /// Decides about a command before the card sees it.
    func command(_ exchange: CardExchange) -> CommandInterception

    /// Decides about the card's answer before the app sees it. The card has acted.
    /// - Parameter answer: what the card said, status word included.
    func answer(_ answer: [UInt8], to exchange: CardExchange) -> AnswerInterception
}

extension CardInterceptor {
    /// Lets the command pass.
    public func command(_ exchange: CardExchange) -> CommandInterception { .pass }

    /// Lets the answer pass.
    public func answer(_ answer: [UInt8], to exchange: CardExchange) -> AnswerInterception { .pass }
}

/// One command on its way to a simulated card.
public struct CardExchange: Sendable, Equatable {
    /// Which exchange of this reader it is, counted from 1.
    public let number: Int
    /// The command's bytes.
    public let command: [UInt8]
    /// `select`, or the `cmd` of a CBOR request; empty for other bytes.
    public let name: String

    /// An exchange of a command's bytes.
    public init(number: Int, command: [UInt8]) {
        self.number = number
        self.command = command
        name = Self.name(of: command)
    }

    private static func name(of command: [UInt8]) -> String {
        if command.starts(with: [0x00, 0xA4]) { return "select" }
        guard command.starts(with: [0x00, 0xCB, 0x00, 0x00]), command.count > 5 else { return "" }
        return (try? CardRequest(Array(command.dropFirst(5).prefix(Int(command[4])))))?.command ?? ""
    }
}

/// What becomes of a command.
public enum CommandInterception: Sendable {
    /// The card gets it.
    case pass
    /// The card gets other bytes.
    case replace([UInt8])
    /// The card gets nothing, and this is the answer.
    case answer([UInt8])
    /// The card is taken away before it gets the command.
    case pull(CardReturn)
    /// The card loses power for so short a time that the reader does not notice, then gets the command.
    case cutPower
    /// The card is taken away before it gets the command, and another laid there.
    case swap(SimulatedCard)
    /// As `swap`, so fast that the reader does not notice: the other card gets the command.
    case swapUnnoticed(SimulatedCard)
    /// The reader fails; the card gets nothing.
    case fail(ReaderError)
}

/// What becomes of an answer.
public enum AnswerInterception: Sendable {
    /// The app gets it.
    case pass
    /// The app gets other bytes.
    case replace([UInt8])
    /// The card is taken away: the app gets no answer.
    case pull(CardReturn)
    /// The card is taken away in mid-answer: the app gets these bytes.
    case replaceThenPull([UInt8], CardReturn)
    /// The app gets the answer, then the card loses power unnoticed.
    case cutPower
    /// The reader fails: the app gets no answer.
    case fail(ReaderError)
}

/// How a card that was taken away comes back.
public enum CardReturn: Sendable {
    /// By `SimulatedReader.insert`.
    case byHand
    /// As soon as somebody waits for a card.
    case whenAwaited
    /// At once: the channel is broken, and connecting anew works.
    case atOnce
}

/// An interceptor made of two functions.
public struct FunctionInterceptor: CardInterceptor {
    private let onCommand: @Sendable (CardExchange) -> CommandInterception
    private let onAnswer: @Sendable ([UInt8], CardExchange) -> AnswerInterception

    /// An interceptor that asks these functions; without them everything passes.
    public init(
        onCommand: @escaping @Sendable (CardExchange) -> CommandInterception = { _ in .pass },
        onAnswer: @escaping @Sendable ([UInt8], CardExchange) -> AnswerInterception = { _, _ in .pass }
    ) {
        self.onCommand = onCommand
        self.onAnswer = onAnswer
    }

    /// What the first function says.
    public func command(_ exchange: CardExchange) -> CommandInterception { onCommand(exchange) }

    /// What the second function says.
    public func answer(_ answer: [UInt8], to exchange: CardExchange) -> AnswerInterception {
        onAnswer(answer, exchange)
    }
}

/// Takes the card away once, at the exchange with a given number.
public struct SinglePull: CardInterceptor {
    /// When, within the exchange.
    public enum Moment: Sendable, CaseIterable {
        /// Before the card acts.
        case beforeCommand
        /// After the card acted, before its answer.
        case beforeAnswer
        /// When half the answer has come.
        case inAnswer
    }

    private let number: Int
    private let moment: Moment
    private let cardReturn: CardReturn

    /// Takes the card away at exchange `number`, counted from 1.
    public init(atExchange number: Int, _ moment: Moment, returning cardReturn: CardReturn = .whenAwaited) {
        self.number = number
        self.moment = moment
        self.cardReturn = cardReturn
    }

    /// Takes the card away, or lets the command pass.
    public func command(_ exchange: CardExchange) -> CommandInterception {
        exchange.number == number && moment == .beforeCommand ? .pull(cardReturn) : .pass
    }

    /// Takes the card away, or lets the answer pass.
    public func answer(_ answer: [UInt8], to exchange: CardExchange) -> AnswerInterception {
        guard exchange.number == number else { return .pass }
        switch moment {
        case .beforeCommand: return .pass
        case .beforeAnswer: return .pull(cardReturn)
        case .inAnswer: return .replaceThenPull(Array(answer.prefix(answer.count / 2)), cardReturn)
        }
    }
}
