import Bitcoin
import FrontEndText
import TapManager
import TapProtocol

/// One call of HWI's command line: its options, its network, and the CVCs that came with it.
struct HWISession: Sendable {
    let globals: HWIGlobals
    let host: any HWIHost
    let equipment: any HWIEquipment
    /// The network of all answers, whatever the card is for: HWI's caller decides.
    let network: Network
    /// The requested card.
    let choice: CardChoice
    private let given: (any GivenCVCs)?
    private let memory = CVCMemory()

    /// HWI's default.
    private static let defaultNetwork = Network.main

    /// - Parameter needsCVC: whether a given CVC must be valid.
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
            note("No CVC: \(problem.error)")
        }
    }

    private static func givenCVCs(
        _ globals: HWIGlobals, _ equipment: any HWIEquipment, _ host: any HWIHost
    ) throws -> (any GivenCVCs)? {
        // In HWI, an empty password means none.
        if let password = globals.password, password.count > 0 { return HWISingleCVC(cvc: try CVC(password)) }
        if globals.readsPassword, host.hasTypist { return nil }
        guard globals.readsPassword || equipment.settings.readsCVC else { return try equipment.givenCVCs() }
        guard var line = try host.nextLine() else {
            throw HWIError(
                .noPassword,
                "Standard input ended before the CVC. Use --cvc-file PATH, or - for standard input.")
        }
        return HWISingleCVC(cvc: try CVC(SecretBytes(moving: &line)))
    }

    /// Shows text to the user, on standard error: standard output is for JSON.
    func note(_ text: String) { host.note([text]) }

    // MARK: CVCs

    /// Whether a CVC was given for a card, or the user offered to type it.
    func hasCVC(of card: CardAtHand) -> Bool {
        given?.cvc(of: card.ident) != nil || given == nil && globals.readsPassword && host.hasTypist
    }

    /// Uses a manager with the local store. Each CVC is asked for only once per call.
    /// - Parameter purpose: what a CVC is for, after “to”; a transaction or message says it itself.
    func work<Result>(to purpose: String, _ body: (CardManager) async throws -> Result) async throws -> Result {
        let asking = HWIAsking(
            words: {
                switch $0 {
                case .signTransaction(let review): review.purpose
                case .signMessage(let message, let key, let address):
                    MessagePurpose(message, by: key, address: address).words
                default: purpose
                }
            },
            given: given)
        do {
            return try await equipment.work(asking, through: memory.before, body)
        } catch let error as CardSearchError {
            // HWI's callers have other options than tapkit's own.
            switch error {
            case .otherFingerprint(_, _, let proven):
                throw HWIError(
                    host.explain(error).advising(
                        "If you mean this card, run the command again with -f \(proven)."))
            case .unknownFingerprints:
                throw HWIError(
                    host.explain(error).advising(
                        "Name one card with --card, or run tapkit xpub once with each."))
            default: throw error
            }
        }
    }
}
