import Synchronization
import TapManager
import TapProtocol

/// Asks and informs the user: messages go to standard error, CVCs come from a file or are typed.
final class PersonInteraction: Interaction {
    /// The progress line of running flows.
    let progress = ShownProgress()
    private let console: Console
    private let dialogue: CVCDialogue
    private let givenNewCVC: CVC?
    /// Given away when it is used, so that it is wiped as soon as the backup is open.
    private let givenBackupKey: Mutex<Backup.Key?>
    private let ask: @Sendable (Question) throws -> Void

    /// - Parameters:
    ///   - newCVC: the card's new CVC; `nil`: the user is asked, twice.
    ///   - backupKey: the backup's key; `nil`: the user is asked.
    ///   - ask: asks for a confirmation.
    init(
        _ console: Console, _ dialogue: CVCDialogue, newCVC: CVC? = nil, backupKey: Backup.Key? = nil,
        ask: @escaping @Sendable (Question) throws -> Void
    ) {
        (self.console, self.dialogue, self.ask) = (console, dialogue, ask)
        givenNewCVC = newCVC
        givenBackupKey = Mutex(backupKey)
    }

    func confirm(_ question: Question) async throws { try await progress.asking { try ask(question) } }

    func cvc(for request: CVCRequest) async throws -> CVC {
        try await progress.asking { try dialogue.answer(request) }
    }

    func hasOnlyGeneralCVC(for card: CardIdent) -> Bool { dialogue.hasOnlyGeneralCVC(for: card) }

    func newCVC(for card: CardAtHand, insteadOf present: CVC?) async throws -> CVC {
        try await progress.asking {
            let cvc = try givenNewCVC ?? NewCVCPrompt(card).ask(insteadOf: present)
            if !cvc.isShortEnoughForProofs { console.note(CVCAdvice.new) }
            return cvc
        }
    }

    func backupKey(for purpose: BackupPurpose) async throws -> Backup.Key {
        try await progress.asking {
            let given = givenBackupKey.withLock { key in
                defer { key = nil }
                return key
            }
            return try given ?? SecretInput.backupKey()
        }
    }

    func notice(_ notice: Notice) { NoticeText(notice).write(to: console) }
}
