import Bitcoin
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
    /// - Throws: `Failure` for invalid options or an unusable CVC file, and what opening the store throws.
    init(
        _ options: GlobalOptions, to purpose: Purpose = .changing, usesCVC: Bool = true, asksChain: Bool = false,
        newCVC: CVC? = nil, backupKey: Backup.Key? = nil
    ) throws(Failure) {
        console = options.console
        network = purpose == .apart ? try options.typedNetwork() : try options.network()
        choice = options.cardChoice
        cvcFile = usesCVC && purpose.asksCards ? try options.cvcOptions.file() : nil
        isCVCOffered = usesCVC && purpose.asksCards && options.cvcOptions.isTyped
        mayTypeAhead = purpose == .rescuing || usesCVC && purpose.asksCards && cvcFile == nil
        let person = PersonInteraction.onTerminal(
            console, accepting: try options.acceptance(), cvcFile: cvcFile, newCVC: newCVC, backupKey: backupKey)
        let equipment = purpose == .apart ? Equipment.none : try options.equipment(asksChain: asksChain)
        let store: any Store
        (store, storeProblem) = try Self.store(for: purpose, options)
        manager = equipment.manager(over: store, asking: person)
        progress = ProgressLine(console, of: manager)
        person.progress.show(progress)
    }

    private static func store(
        for purpose: Purpose, _ options: GlobalOptions
    ) throws(Failure) -> (any Store, ProblemDocument?) {
        switch purpose {
        case .changing, .storing: return (try options.storeFolder().opened(), nil)
        case .reading, .resuming: return (try options.storeFolder().existing() ?? MemoryStore(), nil)
        case .tending: return (try options.storeFolder().required(), nil)
        case .searching, .apart: return (MemoryStore(), nil)
        case .looking, .rescuing:
            do throws(Failure) { return (try options.storeFolder().opened(), nil) } catch {
                let loss =
                    purpose == .looking
                    ? "The card is not compared with what was stored about it before." : NoticeText.transactionNotKept
                let problem = ProblemDocument(error)
                options.console.note(lines: problem.lines(loss))
                return (MemoryStore(), problem)
            }
        }
    }

    /// The one card that was requested.
    /// - Throws: what `CardManager.card` throws.
    func card() async throws -> CardAtHand {
        try await quietly { try await manager.card(choice, for: network) }
    }

    /// Decrypts a backup. Whatever is typed too early, or pasted in several lines, is neither shown nor left to the
    /// shell.
    /// - Parameter network: the one that it must be for; `nil`: any.
    func openBackup(
        _ ciphertext: [UInt8], for purpose: BackupPurpose, network: Network? = nil
    ) async throws -> OpenedBackup {
        try await TerminalEcho.quietly {
            try await manager.openBackup(ciphertext, for: purpose, network: network)
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
