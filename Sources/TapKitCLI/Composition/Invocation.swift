import AnswerDocuments
import Bitcoin
import Settings
import TapManager
import TapProtocol
import Terminal

/// One run of a verb that uses the manager, with its options resolved.
struct Invocation {
    /// What the store is for.
    enum Purpose {
        /// Cards or transactions are changed. Nothing starts that could not be resumed.
        case changing
        /// Cards continue stored work. If there is no store yet, there is nothing to continue, and none is created.
        case resuming
        /// A card is inspected and compared with what the store remembers of it. If the store cannot be used, the user
        /// is told, and the card is inspected anyway.
        case looking
        /// A transaction is signed without its card. If the store cannot be used, the user is told, and the money can
        /// be saved anyway.
        case rescuing
        /// The store is read or changed, and no CVC is needed. If there is no store yet, none is created.
        case reading
        /// The store is changed; without one there is nothing to do.
        case tending
        /// Something is added to the store, and no CVC is needed.
        case storing
        /// Readers and cards are looked for; nothing is stored.
        case searching
        /// Readers are listed with the cards on them. If the store with the cards' names cannot be used, the user is
        /// told, and they are listed anyway. If there is no store yet, none is created.
        case listing
        /// Only what was given in this run is used: no reader, no server, no store, and no saved setting.
        case apart

        /// Whether a CVC may be needed; if not, its file is not read.
        fileprivate var asksCards: Bool { [.changing, .resuming, .looking].contains(self) }
    }

    /// The output streams.
    let console: Console
    /// The requested network; `nil`: the card's.
    let network: Network?
    /// The requested card.
    let choice: CardChoice
    /// Does the work.
    let manager: CardManager
    /// Why the local store is not used, which the user was told; `nil` if it is.
    let storeProblem: ProblemDocument?
    private let resolved: ResolvedOptions
    private let cvcFile: CVCFile?
    /// Whether the user offered to type a CVC.
    private let isCVCOffered: Bool
    private let progress: ProgressLine
    /// Whether the user may be asked for a CVC or a backup key, and may type it before the prompt.
    private let mayTypeAhead: Bool

    /// - Parameters:
    ///   - usesCVC: whether a CVC may be needed; otherwise neither a file nor standard input is read for it.
    ///   - asksChain: whether chain servers may be used; otherwise the manager has none, and `--chain` is not read.
    ///   - newCVC: the card's new CVC; `nil`: the user is asked if it is needed.
    ///   - backupKey: the backup's key; `nil`: the user is asked if it is needed.
    ///   - answersTampering: whether the answer says that the card reports tampering, so that no notice repeats it.
    /// - Throws: `Failure` for invalid options or an unusable CVC file, and what opening the store throws.
    init(
        _ options: GlobalOptions, to purpose: Purpose = .changing, usesCVC: Bool = true, asksChain: Bool = false,
        newCVC: CVC? = nil, backupKey: Backup.Key? = nil, answersTampering: Bool = false
    ) throws(Failure) {
        try self.init(
            try ResolvedOptions(options, for: purpose, asksChain: asksChain), to: purpose, usesCVC: usesCVC,
            newCVC: newCVC,
            backupKey: backupKey, answersTampering: answersTampering)
    }

    private init(
        _ resolved: ResolvedOptions, to purpose: Purpose, usesCVC: Bool, newCVC: CVC?, backupKey: Backup.Key?,
        answersTampering: Bool = false
    ) throws(Failure) {
        self.resolved = resolved
        (console, network, choice) = (resolved.console, resolved.network, resolved.choice)
        let asksCards = usesCVC && purpose.asksCards
        cvcFile = asksCards ? try resolved.cvcs?.file() : nil
        isCVCOffered = asksCards && resolved.cvcs?.isTyped == true
        mayTypeAhead = purpose == .rescuing || asksCards && cvcFile == nil
        let person = PersonInteraction.onTerminal(
            console, accepting: resolved.acceptance, cvcFile: cvcFile, newCVC: newCVC, backupKey: backupKey,
            answersTampering: answersTampering)
        let store: any Store
        (store, storeProblem) = try Self.store(for: purpose, resolved)
        manager = resolved.equipment.manager(over: store, asking: person)
        progress = ProgressLine(console, of: manager)
        person.progress.show(progress)
    }

    /// Another invocation with the same options, which cards continue: a CVC may be needed and the store changed, and no
    /// chain server is used. Only now are the CVC file and the store opened.
    /// - Throws: `Failure` for an unusable CVC file, and what opening the store throws.
    func withCards() throws(Failure) -> Invocation {
        try Invocation(resolved.withoutChain, to: .changing, usesCVC: true, newCVC: nil, backupKey: nil)
    }

    private static func store(
        for purpose: Purpose, _ resolved: ResolvedOptions
    ) throws(Failure) -> (any Store, ProblemDocument?) {
        let loss: String
        switch purpose {
        case .changing, .storing: return (try resolved.folder.get().opened(), nil)
        case .reading, .resuming: return (try resolved.folder.get().existing() ?? MemoryStore(), nil)
        case .tending: return (try resolved.folder.get().required(), nil)
        case .searching, .apart: return (MemoryStore(), nil)
        case .listing: loss = "Cards are listed without their names."
        case .looking: loss = "The card is not compared with what was stored about it before."
        case .rescuing: loss = NoticeText.transactionNotKept
        }
        do throws(Failure) {
            let folder = try resolved.folder.get()
            guard purpose == .listing else { return (try folder.opened(), nil) }
            return (try folder.existing() ?? MemoryStore(), nil)
        } catch {
            let problem = ProblemDocument(error)
            resolved.console.note(lines: problem.lines(loss))
            return (MemoryStore(), problem)
        }
    }

    /// The one card that was requested.
    /// - Throws: what `CardManager.card` throws.
    func card() async throws -> CardAtHand {
        try await quietly { try await manager.card(choice, for: network) }
    }

    /// Decrypts the backup in a file. Whatever is typed too early, or pasted in several lines, is neither shown nor left
    /// to the shell.
    /// - Throws: `Failure.badBackup`, which names the file; else what `CardManager.openBackup` throws.
    func openBackup(
        _ ciphertext: EncryptedBackup, in file: String, for purpose: BackupPurpose
    ) async throws -> OpenedBackup {
        try await BackupText.naming(file) {
            try await TerminalEcho.quietly {
                try await manager.openBackup(ciphertext, for: purpose, network: network)
            }
        }
    }

    /// Whether the CVC of a card was offered, in a file or at a terminal, although the verb can do without.
    func hasCVC(of card: CardAtHand) -> Bool { isCVCOffered || cvcFile?.cvc(of: card.ident) != nil }

    /// Runs a task with the manager while its progress is shown.
    func during<Result>(_ task: () async throws -> Result) async throws -> Result {
        try await quietly { try await progress.during(task) }
    }

    /// Runs a task without echoing keys that are typed too early.
    private func quietly<Result>(_ task: () async throws -> Result) async throws -> Result {
        mayTypeAhead ? try await TerminalEcho.quietly(task) : try await task()
    }

    /// Writes part of the answer in the middle of a task, after the progress shown so far.
    func showing(_ write: () throws -> Void) async throws {
        await progress.pause()
        defer { progress.resume() }
        try write()
    }
}
