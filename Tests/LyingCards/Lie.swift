import ByteCodec

@testable import TapSimulator

/// What becomes of one answer: a small function from the honest answer to another one.
///
/// Answers are the card's bytes with their status word. A lie about a field changes nothing in an answer that lacks the
/// field. Lies compose: `Lie.remove("sig").then(.statusWord(0x6F00))`.
///
/// Spec: threats, "The card lies" and "The reader, the cable, another program".
public struct Lie: Sendable, CustomStringConvertible {
    /// What it does, in a few words.
    public let description: String
    private let alteration: @Sendable ([UInt8], LiarContext) -> [UInt8]

    /// A lie of one's own.
    /// - Parameters:
    ///   - description: what it does, in a few words.
    ///   - alteration: from the answer with its status word to another one, of any bytes.
    public init(_ description: String, _ alteration: @escaping @Sendable ([UInt8], LiarContext) -> [UInt8]) {
        self.description = description
        self.alteration = alteration
    }

    /// Tells the lie.
    /// - Parameters:
    ///   - answer: the answer with its status word.
    ///   - context: what the liar knows beside it.
    public func tell(_ answer: [UInt8], _ context: LiarContext) -> [UInt8] { alteration(answer, context) }

    /// This lie, then another about its result.
    public func then(_ other: Lie) -> Lie {
        Lie("\(description), then \(other)") { other.tell(tell($0, $1), $1) }
    }

    /// The honest answer.
    public static let nothing = Lie("nothing") { answer, _ in answer }
}

/// What a liar knows when it lies.
public struct LiarContext: Sendable {
    /// The command that is answered.
    public let exchange: CardExchange
    /// How often the command was answered before on this liar, itself included: 1 for the first time.
    public let occurrence: Int
    /// What the card answered honestly before, oldest first; the present answer is not among it.
    public let history: [ToldExchange]

    /// A context from its parts, for lies that are told without a `Liar`.
    public init(exchange: CardExchange, occurrence: Int = 1, history: [ToldExchange] = []) {
        self.exchange = exchange
        self.occurrence = occurrence
        self.history = history
    }
}

/// A command, what the card answered, and what the app was told.
public struct ToldExchange: Sendable, Equatable {
    /// `select`, or the `cmd` of a CBOR request; empty for other bytes.
    public let name: String
    /// The command's bytes.
    public let command: [UInt8]
    /// The card's answer with its status word; of a lie that never reached the card, `9000`.
    public let answer: [UInt8]
    /// The answer that the app got.
    public let told: [UInt8]

    /// Whether the app was lied to.
    public var isLie: Bool { answer != told }
}

extension Lie {
    /// A lie about the CBOR alone; the status word stays. An answer shorter than a status word stays, too.
    static func data(_ description: String, _ alteration: @escaping @Sendable ([UInt8]) -> [UInt8]) -> Lie {
        Lie(description) { answer, _ in
            guard answer.count >= 2 else { return answer }
            return alteration(answer.dropLast(2)) + answer.suffix(2)
        }
    }

    /// A lie about one field of a map with text keys; other answers stay.
    static func field(
        _ description: String, _ name: String,
        _ alteration: @escaping @Sendable ([UInt8], AnswerAnatomy.Field, AnswerAnatomy) -> [UInt8]
    ) -> Lie {
        data(description) { data in
            guard let anatomy = AnswerAnatomy(data), let field = anatomy.field(name) else { return data }
            return alteration(data, field, anatomy)
        }
    }
}
