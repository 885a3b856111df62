import ByteCodec
import SmartCard

/// Sits between a host and a simulated card, and does what fields, cables, readers and thieves do. For tests.
///
/// Both functions are called on the thread that transmits, so an interceptor can cause a delay by sleeping.
public protocol CardInterceptor: Sendable {
    /// Decides what happens to a command before the card sees it.
    func command(_ exchange: CardExchange) -> CommandInterception

    /// Decides what happens to the card's response before the host sees it. The card has already acted.
    /// - Parameter answer: the card's response, including the status word.
    func answer(_ answer: [UInt8], to exchange: CardExchange) -> AnswerInterception
}

extension CardInterceptor {
    /// Lets the command pass.
    public func command(_ exchange: CardExchange) -> CommandInterception { .pass }

    /// Lets the response pass.
    public func answer(_ answer: [UInt8], to exchange: CardExchange) -> AnswerInterception { .pass }
}

/// One command on its way to a simulated card.
public struct CardExchange: Sendable, Equatable {
    /// The number of the exchange on this reader, counted from 1.
    public let number: Int
    /// The command's bytes.
    public let command: [UInt8]
    /// `select`, or the `cmd` of a CBOR request; empty for other bytes.
    public let name: String

    /// Creates an exchange from a command's bytes.
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

/// What happens to a command.
public enum CommandInterception: Sendable {
    /// The card gets it.
    case pass
    /// The card gets it twice, as some drivers send what they believe lost; the response is the second one.
    case passTwice
    /// The card gets other bytes.
    case replace([UInt8])
    /// The card gets nothing, and this is the response.
    case answer([UInt8])
    /// The card is removed before it gets the command.
    case pull(CardReturn)
    /// The card loses power so briefly that the reader does not notice, then gets the command.
    case cutPower
    /// The card is removed before it gets the command, and another takes its place.
    case swap(SimulatedCard)
    /// Like `swap`, but so fast that the reader does not notice: the other card gets the command.
    case swapUnnoticed(SimulatedCard)
    /// The reader fails; the card gets nothing.
    case fail(ReaderError)
}

/// What happens to a response.
public enum AnswerInterception: Sendable {
    /// The host gets it.
    case pass
    /// The host gets other bytes.
    case replace([UInt8])
    /// The card is removed: the host gets no response.
    case pull(CardReturn)
    /// The card is removed while answering: the host gets these bytes.
    case replaceThenPull([UInt8], CardReturn)
    /// The host gets the response, then the card loses power unnoticed.
    case cutPower
    /// The reader fails: the host gets no response.
    case fail(ReaderError)
}

/// How a removed card comes back.
public enum CardReturn: Sendable {
    /// By `SimulatedReader.insert`.
    case byHand
    /// As soon as a call waits for a card.
    case whenAwaited
    /// At once: the channel is broken, and a new connection works.
    case atOnce
}

/// An interceptor made of two functions.
public struct FunctionInterceptor: CardInterceptor {
    private let onCommand: @Sendable (CardExchange) -> CommandInterception
    private let onAnswer: @Sendable ([UInt8], CardExchange) -> AnswerInterception

    /// Creates an interceptor from these functions; by default everything passes.
    public init(
        onCommand: @escaping @Sendable (CardExchange) -> CommandInterception = { _ in .pass },
        onAnswer: @escaping @Sendable ([UInt8], CardExchange) -> AnswerInterception = { _, _ in .pass }
    ) {
        self.onCommand = onCommand
        self.onAnswer = onAnswer
    }

    /// The result of the first function.
    public func command(_ exchange: CardExchange) -> CommandInterception { onCommand(exchange) }

    /// The result of the second function.
    public func answer(_ answer: [UInt8], to exchange: CardExchange) -> AnswerInterception {
        onAnswer(answer, exchange)
    }
}

/// Removes the card once, at the exchange with a given number.
public struct SinglePull: CardInterceptor {
    /// The moment within the exchange.
    public enum Moment: Sendable, CaseIterable {
        /// Before the card acts.
        case beforeCommand
        /// After the card acted, before its response.
        case beforeAnswer
        /// When half the response has arrived.
        case inAnswer
    }

    private let number: Int
    private let moment: Moment
    private let cardReturn: CardReturn

    /// Removes the card at exchange `number`, counted from 1.
    public init(atExchange number: Int, _ moment: Moment, returning cardReturn: CardReturn = .whenAwaited) {
        self.number = number
        self.moment = moment
        self.cardReturn = cardReturn
    }

    /// Removes the card, or lets the command pass.
    public func command(_ exchange: CardExchange) -> CommandInterception {
        exchange.number == number && moment == .beforeCommand ? .pull(cardReturn) : .pass
    }

    /// Removes the card, or lets the response pass.
    public func answer(_ answer: [UInt8], to exchange: CardExchange) -> AnswerInterception {
        guard exchange.number == number else { return .pass }
        switch moment {
        case .beforeCommand: return .pass
        case .beforeAnswer: return .pull(cardReturn)
        case .inAnswer: return .replaceThenPull(Array(answer.prefix(answer.count / 2)), cardReturn)
        }
    }
}
