import Bitcoin
import TapManager
import TapProtocol

/// One run of a verb that works with cards through the manager: what its options come to.
struct Invocation {
    /// What the store is for.
    enum Purpose {
        /// Cards or transactions are changed: nothing begins that could not be gone on with.
        case changing
        /// Cards go on with what is stored: where there is no store yet, there is nothing, and none is made.
        case resuming
        /// A card is looked at: it is compared with what the store has seen of it. A store that cannot be used keeps nobody
        /// from looking, but that is said.
        case looking
        /// A transaction is signed without its card. A store that cannot be used keeps nobody from saving money, but that is
        /// said.
        case rescuing
        /// What is stored is read or changed, and no card is asked for its CVC: where there is no store yet, none is made.
        case reading
        /// What is stored is changed, and without a store there is nothing to do.
        case tending
        /// Something is put into the store, and no card is asked for its CVC.
        case storing
        /// Readers and cards are looked for, and nothing is kept.
        case searching
        /// Only what was given in this run is worked with: no reader, no server and no store, and nothing that is set once and
        /// for all can be in the way.
        case apart

        /// Whether a CVC may be needed: where it is not, the file that has it is not read.
        fileprivate var asksCards: Bool { [.changing, .resuming, .looking].contains(self) }
    }

    /// The streams that are written to.
    let console: Console
    /// The network that was asked for; `nil`: what the card says.
    let network: Network?
    /// Which card was asked for.
    let choice: CardChoice
    /// Everything that is done.
    let manager: CardManager
    private let cvcFile: CVCFile?
    private let progress: ProgressLine
    /// Whether somebody may be asked for a CVC, and may type it before that.
    private let mayTypeAhead: Bool

    /// - Parameters:
    ///   - usesCVC: whether a CVC may be needed; else no file is read, and no standard input.
    ///   - asksChain: whether chain servers may be asked; else the manager has none, and `--chain` is not read.
    ///   - newCVC: the one that a card shall have; `nil`: somebody is asked, if it is needed.
    ///   - backupKey: the one of the backup that is opened; `nil`: somebody is asked, if it is needed.
    /// - Throws: `Failure` for options that make no sense, a CVC file that cannot be used, and what opening the store
    ///   throws.
    init(
        _ options: GlobalOptions, to purpose: Purpose = .changing, usesCVC: Bool = true, asksChain: Bool = false,
        newCVC: CVC? = nil, backupKey: Backup.Key? = nil
    ) throws(Failure) {
        console = options.console
        network = purpose == .apart ? try options.typedNetwork() : try options.network()
        choice = options.cardChoice
        cvcFile = usesCVC && purpose.asksCards ? try options.cvcOptions.file() : nil
        mayTypeAhead = usesCVC && purpose.asksCards && cvcFile == nil
        let person = PersonInteraction.onTerminal(
            console, accepting: try options.acceptance(), cvcFile: cvcFile, newCVC: newCVC, backupKey: backupKey)
        let equipment = purpose == .apart ? Equipment.none : try options.equipment(asksChain: asksChain)
        manager = equipment.manager(over: try Self.store(for: purpose, options), asking: person)
        progress = ProgressLine(console, of: manager)
        person.progress.show(progress)
    }

    private static func store(for purpose: Purpose, _ options: GlobalOptions) throws(Failure) -> any Store {
        switch purpose {
        case .changing, .storing: return try options.storeFolder().opened()
        case .reading, .resuming: return try options.storeFolder().existing() ?? MemoryStore()
        case .tending: return try options.storeFolder().required()
        case .searching, .apart: return MemoryStore()
        case .looking, .rescuing:
            do throws(Failure) { return try options.storeFolder().opened() } catch {
                let loss =
                    purpose == .looking
                    ? "So this card is not compared with what was seen of it before." : NoticeText.transactionNotKept
                options.console.note("\(error.message) \(loss)")
                return MemoryStore()
            }
        }
    }

    /// The one card that was asked for.
    /// - Throws: what `CardManager.card` throws.
    func card() async throws -> CardAtHand {
        try await quietly { try await manager.card(choice, for: network) }
    }

    /// Whether a file has the CVC of a card, so that nobody needs to be asked for it.
    func hasCVC(of card: CardAtHand) -> Bool { cvcFile?.cvc(of: card.ident) != nil }

    /// Does something with the manager while people see how far it is.
    func during<Result>(_ task: () async throws -> Result) async throws -> Result {
        try await quietly { try await progress.during(task) }
    }

    /// Does something while no key shows that is typed too early.
    private func quietly<Result>(_ task: () async throws -> Result) async throws -> Result {
        mayTypeAhead ? try await TerminalEcho.quietly(task) : try await task()
    }

    /// Writes a part of the answer in the middle of a task, behind what people see of it so far.
    func showing(_ write: () throws -> Void) async throws {
        await progress.pause()
        defer { progress.resume() }
        try write()
    }
}
