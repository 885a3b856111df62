import Bitcoin
import TapProtocol

/// Makes a TAPSIGNER or SATSCHIP ready for use: key, path, backup, CVC, each proven.
///
/// Every step asks the card first whether it is done, so that a flow that was interrupted is simply run again.
public struct SetupFlow: Sendable {
    /// What the card shall become.
    public struct Goal: Sendable {
        /// Up to 8 hardened steps; `nil`: the path the card was moved to, or BIP-84's first account.
        public let path: DerivationPath?
        /// The chain code of the master key, 32 bytes, drawn by the host so that the card cannot choose its own.
        public let chainCode: [UInt8]
        /// Whether a card that has a key already must have this chain code: the person named it, it was not drawn.
        public let isChainCodeNamed: Bool
        /// The CVC the card shall have; `nil`: it keeps its own.
        public let newCVC: CVC?

        /// A goal from its parts.
        public init(path: DerivationPath?, chainCode: [UInt8], isChainCodeNamed: Bool, newCVC: CVC?) {
            self.path = path
            self.chainCode = chainCode
            self.isChainCodeNamed = isChainCodeNamed
            self.newCVC = newCVC
        }
    }

    /// A card that is ready.
    public struct Result: Sendable {
        /// Which product it is.
        public let product: CardProduct
        /// Its ident.
        public let ident: CardIdent
        /// Its proven account.
        public let account: Account
        /// Whether the key was picked in this run; one of an earlier run keeps the chain code it was given then.
        public let isKeyNew: Bool
        /// The backup; `nil` for a SATSCHIP, which has none.
        public let backup: BackupFlow.Backup?
    }

    private let gate: CardGate
    private let cvc: CVC
    private let goal: Goal

    /// A flow for one card and its CVC.
    public init(gate: CardGate, cvc: CVC, goal: Goal) {
        self.gate = gate
        self.cvc = cvc
        self.goal = goal
    }

    /// Does what is left to do.
    /// - Parameter saveBackup: saves the encrypted backup for good; called before the CVC is changed.
    /// - Throws: `FlowError`: `.notGenuine`, `.tampered`, `.otherChainCode`, `.badPath`, `.backupNotSaved`, `.card`.
    public func run(
        saveBackup: @Sendable (BackupFlow.Backup) throws(AtomicFile.WritingError) -> Void
    ) async throws(FlowError) -> Result {
        if let path = goal.path, CardPath(path)?.subpath.steps.isEmpty != true { throw .badPath(path) }
        let status = try await gate.performAuthenticated(task: "be set up", needsKey: false) { try $0.refreshStatus() }
        guard !status.isTampered else { throw .tampered }
        let cvc = try await presentCVC(status)
        let isKeyNew = try await pickKey(status, cvc: cvc)
        if isKeyNew || goal.isChainCodeNamed { try await proveChainCode(ofNewKey: isKeyNew, cvc: cvc) }
        let path = goal.path ?? Self.chosenPath(status) ?? Self.defaultPath(isTestnet: status.isTestnet)
        if status.path != path { gate.events(.changingPath(path)) }
        let account = try await gate.perform { try AccountFlow.account(at: path, on: $0, cvc: cvc) }
        let backup = try await backUp(status.product, cvc: cvc, save: saveBackup)
        if let newCVC = goal.newCVC, !newCVC.isEqual(to: cvc) {
            try await ChangeCVCFlow(gate: gate, from: cvc, to: newCVC).run()
        }
        return Result(
            product: status.product, ident: status.ident, account: account, isKeyNew: isKeyNew, backup: backup)
    }

    /// `m/84h/0h/0h`, or `m/84h/1h/0h` on the test networks.
    ///
    /// Spec: BIP-84.
    public static func defaultPath(isTestnet: Bool) -> DerivationPath {
        DerivationPath([84, isTestnet ? 1 : 0, 0].compactMap(ChildNumber.hardened))
    }

    /// The path somebody chose; `nil` for the one at which a card picks its key, `m/84h/0h/0h` on every network. An
    /// earlier run may have come no further than that.
    private static func chosenPath(_ status: CardStatus) -> DerivationPath? {
        status.path == defaultPath(isTestnet: false) ? nil : status.path
    }

    /// Which CVC holds: an earlier run may have come as far as changing it, which needs a key and, on a TAPSIGNER, a
    /// backup. Costs at most one wrong try.
    private func presentCVC(_ status: CardStatus) async throws(FlowError) -> CVC {
        guard let newCVC = goal.newCVC, status.isSetUp, status.backupCount != 0, !newCVC.isEqual(to: cvc) else {
            return cvc
        }
        return try await ChangeCVCFlow.holds(newCVC, gate: gate) ? newCVC : cvc
    }

    /// - Returns: whether the key was picked now.
    private func pickKey(_ status: CardStatus, cvc: CVC) async throws(FlowError) -> Bool {
        guard !status.isSetUp else { return false }
        gate.events(.pickingKey)
        let chainCode = goal.chainCode
        // Asks the card before each try: after a lost answer the key may be there already, with our chain code.
        try await gate.perform { session in
            guard try !session.refreshStatus().isSetUp else { return }
            try session.createKey(chainCode: chainCode, cvc: cvc)
        }
        return true
    }

    /// - Throws: `.otherChainCode` for a key of an earlier run; a card that picked the key now, with another chain code
    ///   than it was given, failed the proof.
    private func proveChainCode(ofNewKey isKeyNew: Bool, cvc: CVC) async throws(FlowError) {
        let chainCode = goal.chainCode
        do throws(FlowError) {
            _ = try await gate.perform { try $0.proveChainCode(chainCode, cvc: cvc) }
        } catch {
            guard !isKeyNew, case .card(.badProof(.chainCode, _)) = error else { throw error }
            throw .otherChainCode
        }
    }

    private func backUp(
        _ product: CardProduct, cvc: CVC,
        save: @Sendable (BackupFlow.Backup) throws(AtomicFile.WritingError) -> Void
    ) async throws(FlowError) -> BackupFlow.Backup? {
        guard product == .tapsigner else { return nil }
        gate.events(.backingUp)
        let backup = try await gate.perform { try BackupFlow.fetch(on: $0, cvc: cvc) }
        do throws(AtomicFile.WritingError) { try save(backup) } catch { throw .backupNotSaved(error) }
        return backup
    }
}
