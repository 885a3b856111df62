import TapManager
import TapProtocol

/// A wallet's person, who looks at its window: what is signed is told on standard error, and in the window that asks for the
/// CVC; what speaks against it is asked about.
final class WindowInteraction: Interaction {
    /// What flows do meanwhile.
    let progress = ShownProgress()
    private let options: GlobalOptions
    private let isCVCGiven: Bool
    private let dialogue: CVCDialogue

    /// - Parameters:
    ///   - purpose: what the CVC is for, behind “to”: whom a transaction pays.
    ///   - given: the CVC, if one was given.
    init(_ options: GlobalOptions, purpose: String, given: CVC?) {
        self.options = options
        isCVCGiven = given != nil
        dialogue = CVCDialogue(options, given: { _ in given }) {
            CVCPrompt($0.card, to: purpose, isForWindow: true)
        }
    }

    /// Whoever types the CVC sees whom the transaction pays, and confirms it by that. What can lose money is asked about in
    /// any case: a CVC that was given beforehand answers nothing.
    /// - Throws: `Failure`: `.declined`; `.notAccepted` when nobody can be asked.
    func confirm(_ question: Question) async throws {
        try await progress.asking {
            switch question {
            case .sign(let question):
                let text = SigningQuestionText(question)
                for line in text.lines { options.console.note(line) }
                guard !text.warningLines.isEmpty else { return }
                let losses = Acceptance.none.open(question.findings)
                guard !losses.isEmpty || !isCVCGiven else { return }
                try Confirmation.requireInWindow(
                    "Sign it nevertheless with card \(question.signer.label)?", reasons: text.warningLines,
                    losses: losses)
            default: throw Declined()
            }
        }
    }

    func cvc(for request: CVCRequest) async throws -> CVC {
        try await progress.asking { try dialogue.answer(request) }
    }

    func newCVC(for card: CardAtHand) async throws -> CVC {
        try await progress.asking {
            let cvc = try SecretInput.newCVC(for: (card.label, card.title))
            if !cvc.isShortEnoughForProofs { options.console.note(CVCAdvice.new) }
            return cvc
        }
    }

    func notice(_ notice: Notice) { NoticeText(notice, options).write() }
}
