import TapManager
import TapProtocol
import Terminal

extension PersonInteraction {
    /// The user of a wallet with windows. What is signed is shown on standard error and in the window that asks for the
    /// CVC: entering the CVC there confirms the payees. Warnings are asked about; those that can lose money even if a
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
                let pages = try Confirmation.pages(text.lines, beside: text.question)
                return try Confirmation.require(text.question, inWindows: pages, untouched: text.untouched)
            default: throw Declined()
            }
            guard case .sign(let signing) = question, case .card(let card) = signing.signer, !text.warnings.isEmpty
            else { return }
            let losses = Acceptance.none.open(text.findings)
            guard !losses.isEmpty || given?.cvc(of: card.ident) == nil else { return }
            try Confirmation.requireInWindow(
                "Sign it anyway with \(signing.signer.name)?", reasons: text.warnings, losses: losses)
        }
    }
}
