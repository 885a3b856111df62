import TapManager
import TapProtocol
import Terminal
import TextLayout

extension PersonInteraction {
    /// The user of a wallet with windows. What is signed is shown on standard error and in the window that asks for the
    /// CVC: entering the CVC there confirms the payees. If that window cannot name every output, others show them first, so
    /// that no payee hides behind larger change. Warnings are asked about; those that can lose money even if a
    /// CVC was given in advance. A message moves no money: nothing else is asked about it. A wallet that is to be registered
    /// is asked about unless a CVC was given in advance.
    /// - Parameters:
    ///   - words: what a CVC is for, after “to”: whom a transaction pays.
    ///   - given: the CVCs that were given in advance; `nil`: none.
    static func atWindow(
        _ console: Console, words: @escaping @Sendable (CVCPurpose) -> String,
        given: (any GivenCVCs)?
    ) -> PersonInteraction {
        let dialogue = CVCDialogue(console, given: given) {
            CVCPrompt($0.card, to: words($0.purpose), isForWindow: true)
        }
        return PersonInteraction(console, dialogue) { question in
            let text = QuestionText(question, width: console.width)
            switch question {
            case .sign, .signMessage: console.note(screen: text.screen)
            case .registerWallet(let asked):
                console.note(screen: text.screen)
                guard given?.cvc(of: asked.signer.ident) == nil else { return }
                return try Confirmation.requireInWindows(
                    text.question, reasons: text.lines.map { TerminalText.neutralized($0) }, untouched: text.untouched)
            default: throw Declined()
            }
            guard case .sign(let signing) = question, case .card(let card) = signing.signer,
                let window = text.window(for: signing)
            else { return }
            let losses = text.open(for: .none)
            guard !losses.isEmpty || given?.cvc(of: card.ident) == nil else { return }
            try Confirmation.requireInWindows(
                window.question, reasons: window.reasons.map { TerminalText.neutralized($0) }, losses: losses,
                untouched: text.untouched)
        }
    }
}
