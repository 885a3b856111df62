import TapManager
import TapProtocol

/// Asks for the CVC of one card, on the terminal or by pinentry, and again if the card rejected it.
struct CVCPrompt: Sendable {
    /// How often the user is asked in all.
    static let limit = 3

    /// The card's name on a terminal: its ident.
    let label: String
    /// The card with its product.
    let title: String
    /// What the CVC is for, after “to”: “make a backup”.
    let purpose: String
    /// Whether a wallet with windows is the caller: then pinentry is tried before the terminal.
    var isForWindow = false
    /// Becomes readable when nobody wants the answer any more; `nil`: on Ctrl-C only.
    var interruption: Int32?

    /// A prompt for a card that was found.
    init(_ access: CardAtHand, to purpose: String, isForWindow: Bool = false, endedBy interruption: Int32? = nil) {
        self.init(
            label: access.label, title: access.title, purpose: purpose, isForWindow: isForWindow)
        self.interruption = interruption
    }

    init(label: String, title: String, purpose: String, isForWindow: Bool = false) {
        (self.label, self.title, self.purpose, self.isForWindow) = (label, title, purpose, isForWindow)
    }

    /// Asks until a valid CVC was typed, at most `limit` times. Empty input cancels.
    /// - Parameters:
    ///   - problem: what was wrong with the previous CVC, and how many tries are left.
    ///   - prompts: how often the user was asked so far.
    /// - Throws: `Failure`: `.cancelled` on Ctrl-D or in a pinentry, `.interrupted` on Ctrl-C, `.timedOut`,
    ///   `.cvcNeeded` when nobody can be asked, `.badEnvironment`, `.badCVC`.
    func ask(after problem: String? = nil, counting prompts: inout Int) throws(Failure) -> CVC {
        var problem = problem
        while true {
            prompts += 1
            let question = SecretQuestion(
                subject: .cvc, line: "CVC of card \(label):",
                description: "The CVC of \(title)\nis needed to \(purpose).", prompt: "CVC:", error: problem,
                isForWindow: isForWindow, interruption: interruption)
            let typed = try question.ask()
            do throws(Failure) { return try SecretInput.cvc(typed) } catch {
                guard typed.count > 0, prompts < Self.limit else { throw error }
                problem = error.message
            }
        }
    }
}
