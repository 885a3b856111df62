import Synchronization
import TapManager
import TapSimulator

/// Somebody with a reader and cards: says yes to what is shown, types CVCs, and lays down whichever card is asked for.
final class Person: Interaction {
    struct NoAnswer: Error {}

    static let printedCVC = "123456"
    static let ownCVC = "271828"
    let reader: SimulatedReader
    private let hand: [SimulatedCard]

    init(_ cards: [SimulatedCard]) {
        reader = SimulatedReader(card: cards[0])
        hand = cards
    }

    func confirm(_ question: Question) throws {
        if case .sign(let asked) = question, asked.findings.contains(where: { $0.severity != .notice }) {
            throw NoAnswer()
        }
    }

    func cvc(for request: CVCRequest) throws -> CVC {
        if let refusal = request.refusal { throw refusal.error }
        let isOurs = request.card.status.isSetUp && request.card.status.product != .satscard
        return try CVC(isOurs ? Self.ownCVC : Self.printedCVC)
    }

    func newCVC(for card: CardAtHand, insteadOf present: CVC?) throws -> CVC { try CVC(Self.ownCVC) }

    /// Takes the card away while it signs, once, and lays it back when it is missed.
    func takesTheCardAwayOnce() {
        let isTaken = Atomic(false)
        reader.interceptor = FunctionInterceptor(onAnswer: { _, exchange in
            guard exchange.name == "sign", !isTaken.exchange(true, ordering: .relaxed) else { return .pass }
            return .pull(.whenAwaited)
        })
    }

    /// Lays down the next card that can help.
    func notice(_ notice: Notice) {
        switch notice {
        case .accounts(let count, _): reader.insert(hand[count])
        case .request(.layNextSigner(let missing)):
            let wanted = missing.signers.compactMap(\.card)
            let next = hand.first { card in wanted.contains { $0.description == (try? card.record.ident) } }
            if let next { reader.insert(next) }
        default: break
        }
    }
}
