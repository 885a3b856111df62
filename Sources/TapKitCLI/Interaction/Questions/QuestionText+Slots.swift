import AnswerDocuments
import Bitcoin
import FrontEndText
import TapManager
import Terminal

extension QuestionText {
    /// Asks whether to sweep slots.
    init(sweeping asked: SweepQuestion) {
        review = ReviewText(asked.review, findings: asked.findings).screen
        switch asked.leftBehind.count {
        case 0: break
        case 1: lines.append("One coin costs more to spend than it is worth, and will be left behind.")
        case let count: lines.append("\(count) coins cost more to spend than they are worth, and will be left behind.")
        }
        let slots = asked.slots.map(\.description).joined(separator: ", ")
        let sweep = "weep \(asked.slots.count == 1 ? "slot" : "slots") \(slots) of \(asked.card.label)?"
        question = asked.openedSlot.map { "Permanently unseal slot \($0), and s\(sweep)" } ?? "S\(sweep)"
        (findings, transaction) = (asked.findings, asked.review)
        untouched = Self.nothingSigned
    }

    /// Asks whether to reveal a slot's key.
    init(unsealing asked: UnsealingQuestion) {
        let label = asked.card.label
        switch asked.plan {
        case .open(let slot, let ends):
            review = [
                ScreenLine("Slot \(slot) of \(label): \(asked.provenAddress?.description ?? ends.description)", .strong)
            ]
            lines =
                (asked.isSealProven ? [] : [SlotText.unprovenAddress])
                + Self.lines(asked.holding, asked.provenAddress?.network ?? .main)
            question = "Permanently unseal slot \(slot), and show its private key on this screen?"
            return
        case .showAgain(let slots):
            let slot = (asked.shownAgain?.slot ?? slots.first).map { "slot \($0)" } ?? "a slot"
            if let (number, address) = asked.shownAgain {
                review = [ScreenLine("Slot \(number) of \(label): \(address) (according to the card)", .strong)]
                lines = Self.lines(asked.holding, address.network)
            }
            // Whether another slot is sealed is only claimed by the card, so always warn.
            lines.append(asked.isResumed ? SlotText.listenerWarning : SlotText.claimedListenerWarning)
            question =
                asked.isResumed
                ? "Unsealing \(slot) of \(label) was interrupted. Show its private key on this screen?"
                : "Show the private key of \(slot) on this screen?"
        }
    }

    /// What a slot holds or, if the server did not say, why and what to do; nothing if no server was asked.
    private static func lines(_ holding: UnsealingQuestion.Holding, _ network: Network) -> [String] {
        switch holding {
        case .notAsked: return []
        case .unknown(let error):
            let problem = ProblemDocument(Failure(error))
            return ["What it holds is unknown: \(problem.message)"] + problem.remarks
        case .amount(let total, nil, let server):
            let sum = total > .zero ? total.text(on: network) : "nothing"
            return [
                "It holds \(sum) confirmed, according to \(server), which does not report unconfirmed payments."
            ]
        case .amount(.zero, _?, let server): return ["It is empty, according to \(server)."]
        case .amount(let total, let waiting?, let server):
            let part = waiting > .zero ? ", of which \(waiting.text(on: network)) is unconfirmed" : ""
            return ["It holds \(total.text(on: network))\(part), according to \(server)."]
        }
    }
}
