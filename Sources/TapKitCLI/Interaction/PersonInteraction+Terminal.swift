import TapManager
import TapProtocol
import Terminal

extension PersonInteraction {
    /// A user at a terminal: questions are asked there, or were answered in advance.
    /// - Parameters:
    ///   - cvcFile: the given CVCs; for other cards the user is asked.
    ///   - newCVC: the card's new CVC; `nil`: the user is asked, twice.
    ///   - backupKey: the backup's key; `nil`: the user is asked.
    ///   - answersTampering: whether the answer says that the card reports tampering.
    static func onTerminal(
        _ console: Console, accepting acceptance: Acceptance, cvcFile: CVCFile? = nil, newCVC: CVC? = nil,
        backupKey: Backup.Key? = nil, answersTampering: Bool = false
    ) -> PersonInteraction {
        let dialogue = CVCDialogue(console, given: cvcFile) {
            CVCPrompt($0.card, to: $0.purpose.words)
        }
        return PersonInteraction(
            console, dialogue, newCVC: newCVC, backupKey: backupKey, answersTampering: answersTampering
        ) {
            question in
            try QuestionText(question, width: console.width).ask(on: console, accepting: acceptance)
        }
    }
}

extension QuestionText {
    /// Shows what the question is about, and asks.
    /// - Throws: what `Confirmation.require` throws; `Declined` on a no to an offer or a warning.
    func ask(on console: Console, accepting acceptance: Acceptance) throws {
        switch occasion {
        case .warning where acceptance.isConfirmed: return
        case .offer where acceptance.isConfirmed: throw Declined()
        default: console.note(screen: screen)
        }
        switch occasion {
        case .offer: guard try Confirmation.isGranted(question, untouched: untouched) else { throw Declined() }
        case .finding where open(for: acceptance).isEmpty: return
        // Without a terminal to ask on, a script continues.
        case .onTerminalOnly where !TerminalLine.isOurs && open(for: acceptance).isEmpty: return
        default:
            do throws(Failure) {
                try Confirmation.require(
                    question, typing: typedWord, losses: open(for: acceptance),
                    isConfirmed: acceptance.isConfirmed, needsYes: occasion == .task, untouched: untouched)
            } catch {
                // It may be about something that was only offered: then the manager continues without it.
                guard occasion == .warning, error.code == .declined else { throw error }
                throw Declined(untouched: untouched)
            }
        }
    }
}
