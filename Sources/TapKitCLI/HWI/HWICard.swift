import Bitcoin
import TapManager
import TapProtocol

/// The card that a command of HWI's works with.
final class HWICard {
    let device: HWIDevice
    /// The way to the card for flows; what moves it is in the local store's journal.
    let watched: WatchedCard
    private let session: HWISession
    private(set) var source: CVCSource
    /// The CVC, once the card has taken it.
    private(set) var provenCVC: CVC?

    init(_ device: HWIDevice, _ source: CVCSource, _ session: HWISession) throws(Failure) {
        self.device = device
        self.source = source
        self.session = session
        watched = try WatchedCard(device.access, session.options, session.options.manager())
    }

    /// The network of what is answered.
    var network: Network { session.network }
    /// The card's name for people.
    var label: String { device.access.label }

    /// The master key's fingerprint, proven; from now on the local store knows it.
    func fingerprint() async throws(Failure) -> Fingerprint { try await keys(at: []).masterFingerprint }

    /// The card's extended keys at hardened paths, proven, as the network writes them.
    /// - Throws: `Failure.anotherCard` when the store knew the card by a fingerprint that is not the card's.
    func keys(at paths: [DerivationPath]) async throws(Failure) -> SignerKeys {
        let keys = try await visiting { (flow) throws(FlowError) in try await flow.keys(at: paths) }
        session.options.remember(device.access.status, fingerprint: keys.masterFingerprint)
        try requireKnown(keys.masterFingerprint)
        return SignerKeys(
            masterFingerprint: keys.masterFingerprint,
            accounts: keys.accounts.mapValues { $0.written(for: network.keyNetwork) })
    }

    /// Confirms that the card is the one that it was chosen for: what the store remembers of a card is a hint; the card
    /// itself has the last word.
    /// - Throws: `Failure.anotherCard`.
    func requireKnown(_ proven: Fingerprint) throws(Failure) {
        guard let known = device.fingerprint, known != proven else { return }
        throw Failure(
            .anotherCard, "\(label) has the fingerprint \(proven), and not \(known), which the local store knew.",
            hint: "Run the command again with -f \(proven) if it is meant.")
    }

    /// The extended key at a path: what stands below the hardened steps is derived here.
    /// - Throws: `Failure.badPath`.
    func key(at path: DerivationPath) async throws(Failure) -> ExtendedPublicKey {
        guard let (account, below) = path.splitAtFirstNormalStep else {
            throw Failure(.badPath, "A card has no hardened steps below unhardened ones, as in \(path).")
        }
        guard let key = try await keys(at: [account]).accounts[account], let child = try? key.descendant(below) else {
            throw Failure(.badPath, "There is no key at \(path).")
        }
        return child
    }

    /// Confirms that the card can sign for a key: what is paid to an address at another path only its backup can spend.
    /// - Throws: `HWIError.badArgument`.
    static func requireSignable(_ path: DerivationPath) throws(HWIError) {
        guard CardPath(path) == nil else { return }
        throw HWIError(
            .badArgument,
            "The card cannot sign at \(path): it takes up to \(CardPath.maximumAccountDepth) hardened steps, "
                + "then up to \(CardPath.maximumSubpathDepth) others.")
    }

    /// Runs a flow with the card's CVC, which may have to be asked for again; the next flow has the one that was right.
    /// - Throws: what `CVCSource.unlock` throws.
    func unlock<Result>(
        _ flow: (CVC) async throws(FlowError) -> Result
    ) async throws(Failure) -> (result: Result, cvc: CVC) {
        let outcome = try await source.unlock(watched, flow)
        source = CVCSource(proven: outcome.cvc)
        provenCVC = outcome.cvc
        return outcome
    }

    /// Lets the card visit other paths, and says so when it could not come back.
    func visiting<Result>(
        _ body: (PathVisitFlow) async throws(FlowError) -> Result
    ) async throws(Failure) -> Result {
        let gate = watched.gate
        defer { tellStranded() }
        return try await unlock { (cvc) async throws(FlowError) in
            try await body(PathVisitFlow(gate: gate, cvc: cvc))
        }.result
    }

    private func tellStranded() {
        guard let state = try? watched.manager.state(of: device.access.status.ident) else { return }
        for case .derive(let state) in state.unfinished.map(\.state) {
            session.note(
                "The card may stand at \(state.from); its own path is \(state.to). tapkit derive \(state.to) brings it back."
            )
        }
    }
}
