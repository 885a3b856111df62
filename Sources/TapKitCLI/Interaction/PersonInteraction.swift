import TapManager
import TapProtocol

/// A person's way to be asked and told: what is told goes to standard error, CVCs come from a file, or are typed.
final class PersonInteraction: Interaction {
    /// What flows do meanwhile.
    let progress = ShownProgress()
    private let console: Console
    private let dialogue: CVCDialogue
    private let givenNewCVC: CVC?
    private let ask: @Sendable (Question) throws -> Void

    /// - Parameters:
    ///   - newCVC: the one that the card shall have; `nil`: somebody is asked, twice.
    ///   - ask: has something confirmed.
    init(
        _ console: Console, _ dialogue: CVCDialogue, newCVC: CVC? = nil,
        ask: @escaping @Sendable (Question) throws -> Void
    ) {
        (self.console, self.dialogue, givenNewCVC, self.ask) = (console, dialogue, newCVC, ask)
    }

    func confirm(_ question: Question) async throws { try await progress.asking { try ask(question) } }

    func cvc(for request: CVCRequest) async throws -> CVC {
        try await progress.asking { try dialogue.answer(request) }
    }

    func newCVC(for card: CardAtHand, insteadOf present: CVC?) async throws -> CVC {
        try await progress.asking {
            let cvc = try givenNewCVC ?? NewCVCPrompt(card).ask(insteadOf: present)
            if !cvc.isShortEnoughForProofs { console.note(CVCAdvice.new) }
            return cvc
        }
    }

    func notice(_ notice: Notice) { NoticeText(notice).write(to: console) }
}
