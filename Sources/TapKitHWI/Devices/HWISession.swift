import Bitcoin
import FrontEndText
import TapManager
import TapProtocol

/// One call of HWI's command line: its options, its network, and the CVCs that came with it.
struct HWISession: Sendable {
    let globals: HWIGlobals
    let host: any HWIHost
    let equipment: any HWIEquipment
    /// The network of everything that is answered, whichever the card says it is for: HWI's caller decides.
    let network: Network
    /// Which card is meant.
    let choice: CardChoice
    private let given: (any HWIGivenCVCs)?
    private let memory = CVCMemory()

    /// HWI's default.
    private static let defaultNetwork = Network.main

    /// - Parameter needsCVC: whether a CVC that was given must be one.
    /// - Throws: `HWIError`, and what the host throws.
    init(_ globals: HWIGlobals, _ host: any HWIHost, needsCVC: Bool = true) throws {
        self.globals = globals
        self.host = host
        equipment = try host.equipment(at: globals.places)
        let settings = equipment.settings
        network = globals.network ?? settings.network ?? Self.defaultNetwork
        choice = settings.choice
        do { given = try Self.givenCVCs(globals, equipment, host) } catch {
            let problem = HWIError(unexpected: error, host)
            guard !needsCVC, problem.code != .cancelled else { throw error }
            given = nil
            note("There is no CVC: \(problem.error)")
        }
    }

    private static func givenCVCs(
        _ globals: HWIGlobals, _ equipment: any HWIEquipment, _ host: any HWIHost
    ) throws -> (any HWIGivenCVCs)? {
        // An empty password is HWI's way to say that there is none.
        if let password = globals.password, password.count > 0 { return HWISingleCVC(cvc: try CVC(password)) }
        if globals.readsPassword, let typed = try host.typedPassword() { return HWISingleCVC(cvc: try CVC(typed)) }
        guard globals.readsPassword || equipment.settings.readsCVC else { return try equipment.givenCVCs() }
        guard var line = try host.nextLine() else {
            throw HWIError(
                .noPassword,
                "Standard input ended where the CVC was expected. Use --cvc-file PATH, or - for standard input.")
        }
        return HWISingleCVC(cvc: try CVC(SecretBytes(moving: &line)))
    }

    /// Tells the person something; standard output belongs to JSON.
    func note(_ text: String) { host.note([text]) }

    // MARK: CVCs

    /// Whether a CVC was given for a card; else somebody must be asked.
    func hasCVC(of card: CardAtHand) -> Bool { given?.cvc(of: card.ident) != nil }

    /// Confirms that a CVC that was given is not tried on one card after the other: each would count a wrong one.
    /// - Parameter unknown: those that the card is one of, as far as is known.
    /// - Throws: `HWIError.deviceConnection`.
    private func requireCertainCVC(of card: CardIdent, among unknown: [CardAtHand]) throws(HWIError) {
        guard unknown.count > 1, let given, !given.names(card) else { return }
        throw HWIError(
            .deviceConnection,
            "Several cards have no known fingerprint, and the CVC that was given is not tried on each. "
                + "Name one with --card, or run tapkit xpub once with each.")
    }

    /// Does something with a manager over the local store. A CVC is asked for once in the whole call.
    /// - Parameters:
    ///   - cards: the one that it is done with; or several, when only their CVCs tell which is meant.
    ///   - purpose: what a CVC is for, behind “to”; of a transaction its review says that.
    func work<Result>(
        among cards: [CardAtHand], to purpose: String, _ body: (CardManager) async throws -> Result
    ) async throws -> Result {
        let asking = HWIAsking(
            words: { if case .signTransaction(let review) = $0 { review.purpose } else { purpose } },
            givenCVC: { [given] in given?.cvc(of: $0) })
        do {
            return try await equipment.work(
                asking,
                through: { person in
                    memory.before(person) { try requireCertainCVC(of: $0, among: cards) }
                }, body)
        } catch CardSearchError.otherFingerprint(let card, let known, let proven) {
            throw HWIError(
                .deviceConnection,
                "\(card.label) has the fingerprint \(proven), and not \(known), which the local store knew. "
                    + "Run the command again with -f \(proven) if it is meant.")
        }
    }
}
