import TapManager

/// The question whether a slot's key is taken out of a card, for people.
struct UnsealingQuestionText {
    private let asked: UnsealingQuestion

    init(_ question: UnsealingQuestion) { asked = question }

    /// What is shown before the question.
    var lines: [String] {
        // Whether another slot is sealed is the card's word, and not to be relied on here.
        if case .showAgain = asked.plan { [SlotText.listenerWarning] } else { [] }
    }

    var question: String {
        let label = asked.card.label
        switch asked.plan {
        case .open(let slot, let address):
            return "Open slot \(slot) (\(address)) of \(label) for good, and show its private key on this screen?"
        case .showAgain(let slots) where asked.isResumed:
            let slot = slots.first.map { "slot \($0)" } ?? "a slot"
            return "The opening of \(slot) of \(label) was interrupted. Show its private key on this screen?"
        case .showAgain: return "No slot of \(label) is sealed. Show the private key of the slot that was opened last?"
        }
    }
}
