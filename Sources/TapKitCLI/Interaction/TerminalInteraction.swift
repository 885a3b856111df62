import TapManager
import TapProtocol

/// The terminal's way to ask and tell: questions on the terminal, or answered by `--yes` and `--accept`; CVCs from a file, or
/// typed.
final class TerminalInteraction: Interaction {
    /// What flows do meanwhile.
    let progress = ShownProgress()
    private let options: GlobalOptions
    private let dialogue: CVCDialogue
    private let givenNewCVC: CVC?

    /// - Parameters:
    ///   - book: the CVCs that were given; of a card that it has none for, somebody is asked.
    ///   - newCVC: the one that the card shall have; `nil`: somebody is asked, twice.
    init(_ options: GlobalOptions, book: CVCBook? = nil, newCVC: CVC? = nil) {
        self.options = options
        givenNewCVC = newCVC
        dialogue = CVCDialogue(options, given: { book?.cvc(of: $0) }) { CVCPrompt($0.card, to: $0.purpose.words) }
    }

    func confirm(_ question: Question) async throws {
        try await progress.asking {
            switch question {
            case .sign(let question):
                let text = SigningQuestionText(question)
                for line in text.lines { options.console.note(line) }
                try Confirmation.require(text.question, findings: question.findings, options)
            case .sweep(let question):
                let text = SweepQuestionText(question)
                for line in text.lines { options.console.note(line) }
                try Confirmation.require(text.question, findings: question.findings, options)
            case .showSlotKeys:
                options.console.note(SlotText.listenerWarning)
                try Confirmation.require("Show the private keys of opened slots on this screen?", options)
            case .showUnprovenAddress(let slot, _):
                // With the address the same is said anyway.
                guard !options.isConfirmed else { return }
                options.console.note(SlotText.unprovenSealWarning)
                try Confirmation.require("Show the address of slot \(slot) all the same?", options)
            case .setUpUnprovenSlot:
                guard !options.isConfirmed else { return }
                options.console.note(SlotText.unprovenSealWarning)
                try Confirmation.require("Set up a slot of this card all the same?", options)
            case .unseal(let question):
                let text = UnsealingQuestionText(question)
                for line in text.lines { options.console.note(line) }
                try Confirmation.require(text.question, options)
            case .setUpNextSlot(_, let slot):
                // Only a person at a terminal says yes: setting up a slot was not what the command was for.
                guard !options.isConfirmed,
                    try Confirmation.isGranted("Give slot \(slot) a key now, so that the card can be paid to again?")
                else { throw Declined() }
            case .payAgain(let findings):
                for line in FindingText.lines(findings) { options.console.note(line) }
                guard try !Acceptance(options).open(findings).isEmpty else { return }
                try Confirmation.require("Pay again?", findings: findings, options)
            case .thaw(let coins): try ask(StoreQuestionText(thawing: coins))
            case .removeWallet(let wallet): try ask(StoreQuestionText(removing: wallet))
            case .deleteTransaction(let question): try ask(StoreQuestionText(deleting: question, now: .now()))
            case .forgetCard(let card): try ask(StoreQuestionText(forgetting: card))
            }
        }
    }

    private func ask(_ text: StoreQuestionText) throws(Failure) {
        options.console.note(lines: text.lines)
        try Confirmation.require(text.question, options)
    }

    func cvc(for request: CVCRequest) async throws -> CVC {
        try await progress.asking { try dialogue.answer(request) }
    }

    func newCVC(for card: CardAtHand) async throws -> CVC {
        try await progress.asking {
            let cvc = try givenNewCVC ?? SecretInput.newCVC(for: (card.label, card.title))
            if !cvc.isShortEnoughForProofs { options.console.note(CVCAdvice.new) }
            return cvc
        }
    }

    func notice(_ notice: Notice) { NoticeText(notice, options).write() }
}
