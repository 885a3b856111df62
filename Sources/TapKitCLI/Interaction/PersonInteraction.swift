import Synchronization
import TapManager
import TapProtocol
import Terminal

/// Asks and informs the user: messages go to standard error, CVCs come from a file or are typed.
final class PersonInteraction: Interaction {
    /// The progress line of running flows.
    let progress = ShownProgress()
    private let console: Console
    private let dialogue: CVCDialogue
    private let givenNewCVC: CVC?
    /// Given away when it is used, so that it is wiped as soon as the backup is open.
    private let givenBackupKey: Mutex<Backup.Key?>
    private let isBackupKeyGiven: Bool
    private let answersTampering: Bool
    private let backupKeyPrompt = Mutex(BackupKeyPrompt())
    private let ask: @Sendable (Question) throws -> Void

    /// - Parameters:
    ///   - newCVC: the card's new CVC; `nil`: the user is asked, twice.
    ///   - backupKey: the backup's key; `nil`: the user is asked.
    ///   - answersTampering: whether the answer says that the card reports tampering, so that no notice repeats it.
    ///   - ask: asks for a confirmation.
    init(
        _ console: Console, _ dialogue: CVCDialogue, newCVC: CVC? = nil, backupKey: Backup.Key? = nil,
        answersTampering: Bool = false, ask: @escaping @Sendable (Question) throws -> Void
    ) {
        (self.console, self.dialogue, self.ask) = (console, dialogue, ask)
        givenNewCVC = newCVC
        self.answersTampering = answersTampering
        givenBackupKey = Mutex(backupKey)
        isBackupKeyGiven = backupKey != nil
    }

    func confirm(_ question: Question) async throws { try await progress.asking { try ask(question) } }

    func cvc(for request: CVCRequest) async throws -> CVC {
        try await asking(leaving: request.purpose.untouched) { () throws(Failure) in try dialogue.answer(request) }
    }

    /// Asks for a secret; Ctrl-C says what it left undone.
    private func asking<Secret>(leaving untouched: String, _ ask: () throws(Failure) -> Secret) async throws -> Secret {
        try await progress.asking {
            do throws(Failure) { return try ask() } catch {
                throw error.code == .interrupted ? .interrupted(leaving: untouched) : error
            }
        }
    }

    func hasOnlyGeneralCVC(for card: CardIdent) -> Bool { dialogue.hasOnlyGeneralCVC(for: card) }

    func newCVC(for card: CardAtHand, insteadOf present: CVC?) async throws -> CVC {
        try await asking(leaving: QuestionText.nothingChanged) { () throws(Failure) in
            let cvc = if let givenNewCVC { givenNewCVC } else { try NewCVCPrompt(card).ask(insteadOf: present) }
            if !cvc.isShortEnoughForProofs { console.note(CVCAdvice.new) }
            return cvc
        }
    }

    func backupKey(for purpose: BackupPurpose, after refusal: TapError?) async throws -> Backup.Key {
        try await asking(leaving: purpose.untouched) { () throws(Failure) in
            let given = givenBackupKey.withLock { key in
                defer { key = nil }
                return key
            }
            if let given { return given }
            if let refusal, isBackupKeyGiven { throw Failure(refusal) }
            return try backupKeyPrompt.withLock { prompt throws(Failure) in try prompt.ask(after: refusal) }
        }
    }

    func notice(_ notice: Notice) {
        if answersTampering, case .tampered = notice { return }
        NoticeText(notice).write(to: console)
    }
}
