import Bitcoin
import TapProtocol

/// Prepares a TAPSIGNER or SATSCHIP for use: key, path, backup, CVC. The key is proven. That the path is the requested
/// one, the backup is the card's and the CVC is the new one is only claimed by whoever answers.
///
/// A state machine with the steps of `SetupState`. Each step is recorded in the journal before the card is asked, and
/// first asks the card whether it is done. So an interrupted flow can be run again, in this process or another, and
/// uses the chain code of the first run.
package struct SetupFlow: Sendable {
    /// The wanted state of the card.
    package struct Goal: Sendable {
        /// Up to 8 hardened steps; `nil`: the path to which the card was moved, or BIP-84's first account.
        package let path: DerivationPath?
        /// The chain code of the master key, drawn by the host so that the card cannot choose its key alone.
        package let chainCode: ChainCode
        /// Whether the user gave the chain code, so that a card that has a key already must have it.
        package let isChainCodeNamed: Bool
        /// The new CVC; `nil`: it stays the same.
        package let newCVC: CVC?
        /// Where the backup is saved, shown to users who ask what is unfinished.
        package let backupFile: String?
        /// Whether the path or CVC of a card that is ready already may be changed.
        var mayChangeReadyCard = true
        /// Whether a TAPSIGNER makes a backup.
        var makesBackup = true
        /// Whether the card has just accepted the current CVC, so that it cannot have the new one yet.
        var isCVCAccepted = false

        /// A goal from its parts.
        package init(
            path: DerivationPath?, chainCode: ChainCode, isChainCodeNamed: Bool, newCVC: CVC?, backupFile: String? = nil
        ) {
            self.path = path
            self.chainCode = chainCode
            self.isChainCodeNamed = isChainCodeNamed
            self.newCVC = newCVC
            self.backupFile = backupFile
        }
    }

    private let driver: CardDriver
    private let cvc: CVC
    private let goal: Goal

    /// A flow for one card and its CVC.
    package init(driver: CardDriver, cvc: CVC, goal: Goal) {
        self.driver = driver
        self.cvc = cvc
        self.goal = goal
    }

    /// Does what is left to do.
    /// - Parameter saveBackup: saves the encrypted backup permanently; called before the CVC is changed.
    /// - Throws: `FlowError`: `.notGenuine`, `.tampered`, `.otherChainCode`, `.keyNotOurs`, `.badPath`,
    ///   `.backupNotSaved`, `.wouldChangeReadyCard` and `.unknownPath` before anything is changed, `.neitherCVC`,
    ///   `.cvcInDoubt`, `.store`, `.card`.
    package func run(
        saveBackup: @Sendable (CardBackup) throws(WritingError) -> Void
    ) async throws(FlowError) -> CardSetup {
        if let path = goal.path, CardPath(path)?.subpath.steps.isEmpty != true { throw .badPath(path) }
        let status = try await driver.performAuthenticated(task: .setUp, needsKey: false) {
            try $0.refreshStatus()
        }
        guard !status.isTampered else { throw .tampered }

        let earlier = try driver.journal.unfinishedSetup()
        do throws(FlowError) { return try await goOn(from: earlier, status, saveBackup: saveBackup) } catch {
            // What the card refused at once did not start, and is not unfinished.
            let first = beginning(status, earlier: earlier).step
            if earlier == nil, error.isRefusalByCard, try driver.journal.unfinishedSetup()?.step == first,
                await driver.isAs(status)
            {
                try driver.journal.finish(.setup)
            }
            throw error
        }
    }

    private func goOn(
        from earlier: SetupState?, _ status: CardStatus,
        saveBackup: @Sendable (CardBackup) throws(WritingError) -> Void
    ) async throws(FlowError) -> CardSetup {
        var state = beginning(status, earlier: earlier)
        // Not taken from the journal as it is: the card must be one that can be ready.
        state.wasReady = try driver.journal.isReady(status)
        let path = try path(status, earlier: earlier)
        state.isCVCChanged = try await isCVCChanged(status, earlier: earlier)
        let cvc = state.isCVCChanged ? goal.newCVC ?? cvc : cvc
        let prover = AccountProver(journal: driver.journal, cvc: cvc, asksAnew: true)
        let isLeftToChange = !state.isCVCChanged && goal.newCVC.map { !$0.isEqual(to: cvc) } == true
        let newPath = try driver.journal.newPath(goal.path, for: status)
        if !goal.mayChangeReadyCard, isLeftToChange || newPath != nil, try driver.journal.isReady(status) {
            throw .wouldChangeReadyCard(to: newPath, changesCVC: isLeftToChange)
        }
        // The card is at `m` while its master key is proven: its own path must outlive this process.
        state.path = path
        var isPickedNow = false
        var master: ExtendedPublicKey?
        var account: Account?
        var backup: CardBackup?

        var next: SetupStep? = state.step
        while let step = next {
            state.step = step
            try driver.journal.record(.setup(state))
            switch step {
            case .pickingKey:
                try await pickKey(state.chainCode, cvc: cvc)
                isPickedNow = true
                next = .provingKey
            case .provingKey:
                // A key that is not as it should be is refused in each run: the journal keeps the chain code.
                let named = goal.isChainCodeNamed ? goal.chainCode : nil
                master = try await proveMasterKey(
                    named ?? state.chainCode, hasEarlierRun: !isPickedNow && earlier?.chainCode != nil, prover)
                // What no run has given the card is not noted: the next run would take the key for this one's.
                if state.chainCode != nil, let named { state.chainCode = named }
                next = .settingPath
            case .settingPath:
                if status.path != path { driver.events(.changingPath(path)) }
                let key = try await driver.perform { try prover.key(at: path, on: $0) }
                account = master.map { Account(masterFingerprint: $0.fingerprint, path: path, key: key) }
                next = .backingUp
            case .backingUp:
                if status.product == .tapsigner, goal.makesBackup {
                    // Fetched anew in each run: what was saved before may be for another path, or be gone.
                    backup = try await backUp(cvc: cvc, save: saveBackup)
                }
                next = isLeftToChange ? .changingCVC : nil
            case .changingCVC:
                if let newCVC = goal.newCVC {
                    try await ChangeCVCFlow(driver: driver, from: cvc, to: newCVC).run()
                }
                next = nil
            }
        }
        // The user has chosen this path since any interrupted run that still had to move the card.
        for kind in [FlowKind.setup, .changeCVC, .derive, .sign] { try driver.journal.finish(kind) }
        guard let account, let master else { throw .unexpected("SetupState") }
        // An earlier run in this call gave the card the chain code that was drawn for it: no older key has that.
        let isKeyNew = isPickedNow || (!goal.isChainCodeNamed && master.chainCode == goal.chainCode)
        return CardSetup(
            product: status.product, ident: status.ident, account: account, isKeyNew: isKeyNew,
            isKeyOfEarlierSetup: !isKeyNew && master.chainCode == earlier?.chainCode, backup: backup,
            isCVCNew: goal.newCVC != nil)
    }

    /// `m/84h/0h/0h`, or `m/84h/1h/0h` on the test networks.
    ///
    /// Spec: BIP-84.
    static func defaultPath(isTestnet: Bool) -> DerivationPath {
        DerivationPath([84, isTestnet ? 1 : 0, 0].compactMap(ChildNumber.hardened))
    }

    /// The path that someone chose; `nil` for the one at which a card picks its key, `m/84h/0h/0h` on every network: an
    /// earlier run may have stopped there.
    private static func chosenPath(_ status: CardStatus) -> DerivationPath? {
        status.path == defaultPath(isTestnet: false) ? nil : status.path
    }

    /// Where the card shall be: at the path that the user chooses now, or else chose in the earlier run; otherwise where
    /// another interrupted run had to move it, where it is, or at the usual path.
    /// - Throws: `.unknownPath` for one that only the journal has, and that nothing confirms.
    private func path(_ status: CardStatus, earlier: SetupState?) throws(FlowError) -> DerivationPath {
        if let path = goal.path { return path }
        if let path = earlier?.path {
            if path != status.path { try driver.journal.requireKnown(path) }
            return path
        }
        // Another flow may have been interrupted while the card was moved.
        return try driver.journal.owedPath(from: status.path) ?? Self.chosenPath(status)
            ?? Self.defaultPath(isTestnet: status.isTestnet)
    }

    /// Where to start: what the card reports as done is not done again; the chain code is the one that the card was
    /// given, according to the journal. A card without a key gets the goal's, as anyone who can write to the store can
    /// have planted the other. One that the user gives takes the journal's place only when the key is proven to have
    /// it: a slip keeps nobody out.
    private func beginning(_ status: CardStatus, earlier: SetupState?) -> SetupState {
        SetupState(
            step: status.isSetUp ? .provingKey : .pickingKey,
            chainCode: status.isSetUp ? earlier?.chainCode : goal.chainCode,
            path: goal.path ?? earlier?.path, backupFile: goal.backupFile, keepsCVC: goal.newCVC == nil,
            isCVCChanged: earlier?.isCVCChanged ?? false)
    }

    /// Whether the card has the new CVC. The journal shows only which of the two is likelier: the user may give others
    /// this time, and another program may have changed it. Where nothing says that it was changed, the current one is tried
    /// first: if it is right, no try is spent.
    private func isCVCChanged(_ status: CardStatus, earlier: SetupState?) async throws(FlowError) -> Bool {
        guard let newCVC = goal.newCVC, status.isSetUp, !newCVC.isEqual(to: cvc) else { return false }
        let search = CVCSearch(driver: driver, present: cvc, new: newCVC)
        if try driver.journal.isCVCInDoubt() { return try await search.settleDoubt() == .new }
        // Before the first backup, the CVC cannot be changed; a SATSCHIP has no backup.
        guard status.backupCount != 0, !goal.isCVCAccepted else { return false }
        return try await search.find(likelier: earlier?.isCVCChanged == true ? .new : .present) == .new
    }

    private func pickKey(_ chainCode: ChainCode?, cvc: CVC) async throws(FlowError) {
        driver.events(.pickingKey)
        guard let chainCode else { throw .unexpected("SetupState") }
        // Asks the card before each try: after a lost answer, the key may exist already, with our chain code.
        try await driver.perform { session in
            guard try !session.refreshStatus().isSetUp else { return }
            do throws(TapError) { try session.createKey(chainCode: chainCode, cvc: cvc) } catch {
                // A reader's driver may send a command twice; then the card refuses it the second time.
                guard FlowError.card(error).isRefusalByCard, (try? session.refreshStatus())?.isSetUp == true
                else { throw error }
            }
        }
    }

    /// Moves the card to `m`, and proves its master key there, with the given chain code.
    /// - Parameters:
    ///   - supplied: `nil` for a card that had its key before, if the user gave no chain code.
    ///   - hasEarlierRun: whether only the journal says that the card was given it.
    /// - Throws: `.otherChainCode` for an older key without the chain code that the user gave; `.keyNotOurs` for one
    ///   without that of an earlier run, according to the journal; a failed proof for a key that was picked now.
    private func proveMasterKey(
        _ supplied: ChainCode?, hasEarlierRun: Bool, _ prover: AccountProver
    ) async throws(FlowError) -> ExtendedPublicKey {
        do throws(FlowError) {
            return try await driver.perform { session in
                let m = DerivationPath()
                let master = try session.setPath(m, cvc: prover.cvc).key
                guard supplied == nil || supplied == master.chainCode else {
                    throw TapError.badProof(
                        .chainCode, detail: "the card's chain code is not the one it was given")
                }
                try prover.prove(master, at: m, on: session)
                return master
            }
        } catch {
            guard case .card(.badProof(.chainCode, _)) = error else { throw error }
            if goal.isChainCodeNamed { throw .otherChainCode }
            throw hasEarlierRun ? .keyNotOurs : error
        }
    }

    private func backUp(
        cvc: CVC, save: @Sendable (CardBackup) throws(WritingError) -> Void
    ) async throws(FlowError) -> CardBackup {
        driver.events(.backingUp)
        let backup = try await driver.perform { try BackupFlow.fetch(on: $0, cvc: cvc) }
        try driver.journal.keep(backup)
        do throws(WritingError) { try save(backup) } catch {
            throw .backupNotSaved(BackupFile(path: error.path), errorNumber: error.errorNumber)
        }
        return backup
    }
}
