import TapManager
import TapProtocol

extension PersonInteraction {
    /// A wallet's person, who looks at its window: what is signed is told on standard error, and in the window that asks for
    /// the CVC. Whoever types it there sees whom the transaction pays, and confirms it by that; what speaks against it is asked
    /// about. What can lose money is asked about in any case: a CVC that was given beforehand answers nothing. A message moves no
    /// money: the window that asks for the CVC shows it, and nothing else is asked.
    /// - Parameters:
    ///   - words: what a CVC is for, behind “to”: whom a transaction pays.
    ///   - given: a card's CVC, if one was given.
    static func atWindow(
        _ console: Console, words: @escaping @Sendable (CVCPurpose) -> String,
        given: @escaping @Sendable (CardIdent) -> CVC?
    ) -> PersonInteraction {
        let dialogue = CVCDialogue(console, given: given) {
            CVCPrompt($0.card, to: words($0.purpose), isForWindow: true)
        }
        return PersonInteraction(console, dialogue) { question in
            if case .signMessage = question { return }
            guard case .sign(let signing) = question else { throw Declined() }
            let text = QuestionText(question)
            console.note(screen: text.screen)
            guard !text.warnings.isEmpty else { return }
            let losses = Acceptance.none.open(text.findings)
            guard !losses.isEmpty || given(signing.signer.ident) == nil else { return }
            try Confirmation.requireInWindow(
                "Sign it nevertheless with card \(signing.signer.label)?", reasons: text.warnings, losses: losses)
        }
    }
}
