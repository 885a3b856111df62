import TapManager
import TapProtocol

extension PersonInteraction {
    /// A wallet's person, who looks at its window: what is signed is told on standard error, and in the window that asks for
    /// the CVC. Whoever types it there sees whom the transaction pays, and confirms it by that; what speaks against it is asked
    /// about. What can lose money is asked about in any case: a CVC that was given beforehand answers nothing. A message moves no
    /// money: the window that asks for the CVC shows it, and nothing else is asked.
    /// - Parameters:
    ///   - purpose: what the CVC is for, behind “to”: whom a transaction pays.
    ///   - given: the CVC, if one was given.
    static func atWindow(_ console: Console, purpose: String, given: CVC?) -> PersonInteraction {
        let isGiven = given != nil
        let dialogue = CVCDialogue(console, given: { _ in given }) {
            CVCPrompt($0.card, to: purpose, isForWindow: true)
        }
        return PersonInteraction(console, dialogue) { question in
            if case .signMessage = question { return }
            guard case .sign(let signing) = question else { throw Declined() }
            let text = QuestionText(question)
            console.note(lines: text.lines)
            guard !text.warnings.isEmpty else { return }
            let losses = Acceptance.none.open(text.findings)
            guard !losses.isEmpty || !isGiven else { return }
            try Confirmation.requireInWindow(
                "Sign it nevertheless with card \(signing.signer.label)?", reasons: text.warnings, losses: losses)
        }
    }
}
