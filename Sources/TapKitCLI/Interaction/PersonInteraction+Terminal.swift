import TapManager
import TapProtocol

extension PersonInteraction {
    /// Somebody at a terminal: questions are asked there, or were answered beforehand.
    /// - Parameters:
    ///   - cvcFile: the CVCs that were given; of a card that it has none for, somebody is asked.
    ///   - newCVC: the one that the card shall have; `nil`: somebody is asked, twice.
    ///   - backupKey: the one of the backup that is opened; `nil`: somebody is asked.
    static func onTerminal(
        _ console: Console, accepting acceptance: Acceptance, cvcFile: CVCFile? = nil, newCVC: CVC? = nil,
        backupKey: Backup.Key? = nil
    ) -> PersonInteraction {
        let dialogue = CVCDialogue(console, given: { cvcFile?.cvc(of: $0) }) {
            CVCPrompt($0.card, to: $0.purpose.words)
        }
        return PersonInteraction(console, dialogue, newCVC: newCVC, backupKey: backupKey) { question in
            try QuestionText(question, width: console.width).ask(on: console, accepting: acceptance)
        }
    }
}

extension QuestionText {
    /// Shows what it is about, and asks.
    /// - Throws: what `Confirmation.require` throws; `Declined` for what was only offered.
    fileprivate func ask(on console: Console, accepting acceptance: Acceptance) throws {
        switch occasion {
        case .warning where acceptance.isConfirmed: return
        case .offer where acceptance.isConfirmed: throw Declined()
        default: console.note(screen: screen)
        }
        switch occasion {
        case .offer: guard try Confirmation.isGranted(question) else { throw Declined() }
        case .finding where acceptance.open(findings).isEmpty: return
        // A script that was given the CVC goes on, and so does one without a terminal to ask on.
        case .onTerminalOnly where !TerminalLine.isOurs: return
        default: try Confirmation.require(question, findings: findings, acceptance, untouched: untouched)
        }
    }
}
