import Bitcoin
import TapManager
import TapProtocol

/// The card that a command of HWI's works with.
struct HWICard {
    let device: HWIDevice
    let cvc: CVC
    /// The way to the card for flows; what moves it is in the local store's journal.
    let watched: WatchedCard
    private let session: HWISession

    init(_ device: HWIDevice, cvc: CVC, _ session: HWISession) throws(Failure) {
        self.device = device
        self.cvc = cvc
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
    func keys(at paths: [DerivationPath]) async throws(Failure) -> SignerKeys {
        let keys = try await during { (flow) throws(FlowError) in try await flow.keys(at: paths) }
        session.options.remember(device.access.status, fingerprint: keys.masterFingerprint)
        return SignerKeys(
            masterFingerprint: keys.masterFingerprint,
            accounts: keys.accounts.mapValues { $0.written(for: network.keyNetwork) })
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

    /// Lets the card visit other paths, and says so when it could not come back.
    func during<Result>(
        _ body: (PathVisitFlow) async throws(FlowError) -> Result
    ) async throws(Failure) -> Result {
        let flow = PathVisitFlow(gate: watched.gate, cvc: cvc)
        defer { tellStranded() }
        return try await watched.progress.during { () throws(FlowError) in try await body(flow) }
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
