import ByteCodec
import Glibc

@testable import TapSimulator

/// Whole other answers: errors, earlier ones, another card's.
extension Lie {
    /// A card's error instead of the answer.
    /// - Parameters:
    ///   - code: any number, published or not.
    ///   - text: any text; `nil`: the published one.
    public static func error(_ code: UInt64, _ text: String? = nil) -> Lie {
        let words = text ?? CardFault.all.first { $0.code == code }?.text ?? "no such error"
        return Lie("error \(code)") { _, _ in
            CBOREncoder.encode(.map(CardFault(code: code, text: words).answer)) + [0x90, 0x00]
        }
    }

    /// The card's honest answer to an earlier command of the same name, counted back from the last one; without one so
    /// far back, the honest answer.
    public static func replay(back count: Int = 1) -> Lie {
        Lie("answer of \(count) such commands ago") { answer, context in
            let earlier = context.history.filter { $0.name == context.exchange.name }
            return earlier.indices.contains(earlier.count - count) ? earlier[earlier.count - count].answer : answer
        }
    }

    /// The card's honest answer to the first command of a name.
    public static func replay(firstOf name: String) -> Lie {
        Lie("first answer to \(name)") { answer, context in
            context.history.first { $0.name == name }?.answer ?? answer
        }
    }

    /// The card's honest answer to the exchange before, whatever it was about.
    public static let stale = Lie("answer to the command before") { answer, context in
        context.history.last?.answer ?? answer
    }

    /// What another card answers to the same command. It is brought under power and selected when it has none.
    public static func otherCard(_ card: SimulatedCard) -> Lie {
        Lie("another card's answer") { _, context in
            if !card.hasPower {
                guard (try? card.powerOn()) != nil else { return [0x6F, 0x00] }
                if context.exchange.name != "select" { _ = card.process(apdu: CardCore.selection) }
            }
            return card.process(apdu: context.exchange.command)
        }
    }

    /// One field as another card answers it, in this card's answer.
    public static func field(_ name: String, ofOtherCard card: SimulatedCard) -> Lie {
        let other = otherCard(card)
        return Lie("\(name) of another card") { answer, context in
            let theirs = other.tell(answer, context)
            guard let anatomy = AnswerAnatomy(theirs), let field = anatomy.field(name),
                let value = try? CBORDecoder.decode(Array(theirs[field.value]))
            else { return answer }
            return Lie.set(name, value).tell(answer, context)
        }
    }

    /// The honest answer, late.
    public static func delayed(_ duration: Duration) -> Lie {
        Lie("late") { answer, _ in
            SimulatedCard.pause(duration)
            return answer
        }
    }
}
