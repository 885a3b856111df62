import Bitcoin
import CardReaders
import SmartCard
import TapManager
import TapProtocol
import TapSimulator

/// The one card that a verb works with: found on the readers that were asked for, and told apart from others.
struct CardAccess: Sendable {
    /// The card.
    let card: TapCard
    /// What it said of itself when it was found.
    let status: CardStatus
    /// The reader it lies on.
    let reader: any CardReader

    /// Whether the card is known to be simulated by the way it was asked for.
    var isSimulated: Bool { reader.backend == .sim }

    /// The card's name for people.
    var label: String { status.ident.description + (isSimulated ? " (SIMULATED)" : "") }

    /// Finds the card that the options ask for.
    /// - Throws: `Failure`: `.noService`, `.noReader`, `.noCard`, `.ambiguousCard`, `.notATapCard`, `.wrongNetwork`, ….
    /// - Parameter isForLooking: whether the verb only tells what card it is, which may be one of another network than the
    ///   one asked for.
    static func open(_ options: GlobalOptions, isForLooking: Bool = false) async throws(Failure) -> CardAccess {
        let finder = try CardFinder(options)
        let access: CardAccess
        if let waiting = try options.waiting() {
            access = try await finder.wait(waiting, console: options.console)
        } else {
            access = try await finder.find()
        }
        if !isForLooking { try access.requireUse(options) }
        if isForLooking, access.status.isTampered { options.console.note(Self.tamperedWarning) }
        return access
    }

    /// Confirms that the card is for the network that was asked for, and says so when somebody tampered with it.
    /// - Throws: `Failure.wrongNetwork`.
    func requireUse(_ options: GlobalOptions) throws(Failure) {
        _ = try shownNetwork(options)
        if status.isTampered { options.console.note(Self.tamperedWarning) }
    }

    /// What has to be said of such a card, whatever it is used for.
    private static let tamperedWarning =
        "The card says that somebody TAMPERED WITH it: trust no money to it any more."

    /// The way to this card for flows.
    func gate(_ options: GlobalOptions, _ manager: CardManager) throws(Failure) -> CardGate {
        let patience = try options.waiting().map { waiting -> CardGate.Patience in
            waiting.limit.map { .limited($0) } ?? .unlimited
        }
        return manager.gate(
            to: card, ident: status.ident, patience: patience, customRoots: try options.customRoots())
    }
}

extension CardFinder {
    /// Looks where the options say.
    /// - Throws: `Failure` for values that make no sense, also those that the verb has no use for.
    init(_ options: GlobalOptions) throws(Failure) {
        _ = (try options.network(), try options.customRoots())
        self.init(
            spec: try options.readerSpec(), identFilter: options.cardFilter,
            trace: options.isTracing ? Trace.write : nil)
    }
}
