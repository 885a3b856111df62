import Bitcoin
import TapManager
import TapProtocol

/// One call of HWI's command line: its options, its network, and the CVCs that came with it.
struct HWISession: Sendable {
    let globals: HWIGlobals
    let host: any HWIHost
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
        let settings = try host.settings(globals.places)
        network = globals.network ?? settings.network ?? Self.defaultNetwork
        choice = settings.choice
        do { given = try Self.givenCVCs(globals, settings, host) } catch {
            let problem = HWIError(unexpected: error, host)
            guard !needsCVC, problem.code != .cancelled else { throw error }
            given = nil
            note("There is no CVC: \(problem.error)")
        }
    }

    private static func givenCVCs(
        _ globals: HWIGlobals, _ settings: HWISettings, _ host: any HWIHost
    ) throws -> (any HWIGivenCVCs)? {
        // An empty password is HWI's way to say that there is none.
        if let password = globals.password, password.count > 0 { return HWISingleCVC(cvc: try CVC(password)) }
        if globals.readsPassword, let typed = try host.typedPassword() { return HWISingleCVC(cvc: try CVC(typed)) }
        guard globals.readsPassword || settings.readsCVC else { return try host.givenCVCs(globals.places) }
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

    /// The CVC that was given for a card; `nil`: somebody must be asked.
    func givenCVC(of device: HWIDevice) -> CVC? { given?.cvc(of: device.card.ident) }

    /// Confirms that a CVC that was given is not tried on one card after the other: each would count a wrong one.
    /// - Parameter unknown: those whose fingerprint only their CVC can tell.
    /// - Throws: `HWIError.deviceConnection`.
    func requireCertainCVC(of device: HWIDevice, among unknown: [HWIDevice]) throws(HWIError) {
        guard unknown.count > 1, let given, !given.names(device.card.ident) else { return }
        throw HWIError(
            .deviceConnection,
            "Several cards have no known fingerprint, and the CVC that was given is not tried on each. "
                + "Name one with --card, or run tapkit xpub once with each.")
    }

    /// Does something with a manager over the local store. A CVC is asked for once in the whole call.
    /// - Parameter purpose: what the card's CVC is for, behind “to”.
    func work<Result>(
        with device: HWIDevice, to purpose: String, _ body: (CardManager) async throws -> Result
    ) async throws -> Result {
        try await host.work(
            globals.places, HWIAsking(purpose: purpose, givenCVC: givenCVC(of: device)), through: memory.before, body)
    }
}
