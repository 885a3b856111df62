import Bitcoin
import TapManager
import TapProtocol

/// One run of a verb that works with cards through the manager: what its options come to.
struct Invocation {
    /// What the store is for.
    enum Purpose {
        /// Cards or transactions are changed: nothing begins that could not be gone on with.
        case changing
        /// A card is looked at: it is compared with what the store has seen of it. A store that cannot be used keeps nobody
        /// from looking, but that is said.
        case looking
        /// What is stored is read or changed, and no card is asked for its CVC: where there is no store yet, none is made.
        case reading
        /// Something is put into the store, and no card is asked for its CVC.
        case storing

        /// Whether a CVC may be needed: where it is not, the file that has it is not read.
        fileprivate var asksCards: Bool { self == .changing || self == .looking }
    }

    let options: GlobalOptions
    /// The network that was asked for; `nil`: what the card says.
    let network: Network?
    /// Which card was asked for.
    let choice: CardChoice
    /// Everything that is done.
    let manager: CardManager
    /// Whether a file has CVCs, so that nobody needs to be asked for one.
    let isCVCGiven: Bool
    private let progress: ProgressLine

    /// - Parameters:
    ///   - usesCVC: whether a CVC may be needed; else no file is read, and no standard input.
    ///   - newCVC: the one that a card shall have; `nil`: somebody is asked, if it is needed.
    /// - Throws: `Failure` for options that make no sense, a CVC file that cannot be used, and what `GlobalOptions.store`
    ///   throws.
    init(
        _ options: GlobalOptions, to purpose: Purpose = .changing, usesCVC: Bool = true, newCVC: CVC? = nil
    ) throws(Failure) {
        self.options = options
        network = try options.network()
        choice = options.cardChoice
        let book = usesCVC && purpose.asksCards ? try options.cvcOptions.book() : nil
        isCVCGiven = book != nil
        let interaction = TerminalInteraction(options, book: book, newCVC: newCVC)
        manager =
            switch purpose {
            case .changing, .storing: try options.manager(over: try options.store(), interaction: interaction)
            case .looking: try options.lookingManager(interaction)
            case .reading:
                try options.manager(over: try options.existingStore() ?? MemoryStore(), interaction: interaction)
            }
        progress = ProgressLine(options, of: manager)
        interaction.progress.show(progress)
    }

    /// Whether one of the cards turned out to be simulated, by the reader or by who certified it.
    var hasSeenSimulator: Bool { progress.hasSeenSimulator }

    /// The one card that was asked for.
    /// - Parameter isForLooking: whether the verb only tells what card it is, which may be one of another network than the
    ///   one asked for.
    /// - Throws: `Failure`: `.noService`, `.noReader`, `.noCard`, `.ambiguousCard`, `.notATapCard`, `.wrongNetwork`, ….
    func card(isForLooking: Bool = false) async throws(Failure) -> CardAtHand {
        do throws(CardSearchError) { return try await manager.card(choice, for: isForLooking ? nil : network) } catch {
            throw Failure(error)
        }
    }

    /// Does something with the manager while people see how far it is.
    /// - Throws: `Failure`.
    func during<Result>(_ task: () async throws -> Result) async throws(Failure) -> Result {
        try await progress.during(anything: task)
    }

    /// Writes a part of the answer in the middle of a task, behind what people see of it so far.
    func showing(_ write: () throws -> Void) async throws {
        await progress.pause()
        defer { progress.resume() }
        try write()
    }
}
