import Bitcoin
import TapProtocol

/// Every flow that changes a card or a transaction: journalled, and able to go on after whatever interrupted it.
extension CardManager {
    /// Makes a TAPSIGNER or SATSCHIP ready for use.
    /// - Parameter saveBackup: saves the encrypted backup for good; called before the CVC is changed.
    /// - Throws: what `SetupFlow.run` throws.
    public func setUp(
        _ gate: CardGate, cvc: CVC, goal: SetupFlow.Goal,
        saveBackup: @Sendable (BackupFlow.Backup) throws(AtomicFile.WritingError) -> Void
    ) async throws(FlowError) -> SetupFlow.Result {
        try await SetupFlow(gate: gate, cvc: cvc, goal: goal).run(saveBackup: saveBackup)
    }

    /// Fetches a TAPSIGNER's encrypted backup, keeps it in the store and saves it.
    /// - Throws: what `BackupFlow.backup` throws.
    public func backUp(
        _ gate: CardGate, cvc: CVC, to file: String,
        save: @Sendable (BackupFlow.Backup) throws(AtomicFile.WritingError) -> Void
    ) async throws(FlowError) -> BackupFlow.Backup {
        try await BackupFlow(gate: gate, cvc: cvc).backup(to: file, save: save)
    }

    /// Gives a card a new CVC.
    /// - Throws: what `ChangeCVCFlow.change` throws.
    public func changeCVC(_ gate: CardGate, from present: CVC, to new: CVC) async throws(FlowError) {
        try await ChangeCVCFlow(gate: gate, from: present, to: new).change()
    }

    /// Moves a card to a path of hardened steps.
    /// - Throws: what `AccountFlow.derive` throws.
    public func derive(_ gate: CardGate, cvc: CVC, path: DerivationPath) async throws(FlowError) -> Account {
        try await AccountFlow(gate: gate, cvc: cvc).derive(path)
    }

    /// Opens a SATSCARD's slot, or fetches the key of one that was opened. Call `finishUnsealing` when the person has it.
    /// - Throws: what `UnsealFlow.run` throws.
    public func unseal(_ gate: CardGate, cvc: CVC, plan: UnsealFlow.Plan) async throws(FlowError) -> UnsealFlow.Result {
        try await UnsealFlow(gate: gate, cvc: cvc).run(plan)
    }

    /// What `unseal` is to do with a card in this state, after an interrupted run above all.
    /// - Throws: `FlowError`: what `UnsealFlow.Plan` throws, and `.store`.
    public nonisolated func unsealingPlan(for status: CardStatus) throws(FlowError) -> UnsealFlow.Plan {
        let journal = FlowJournal(store: store, card: status.ident) { [now] in now }
        guard case .unseal(let state) = try journal.unfinished(.unseal) else {
            return try UnsealFlow.Plan(for: status)
        }
        return try UnsealFlow.Plan(for: status, unfinished: state)
    }

    /// Strikes the opening of a slot out of the journal: the person has its key.
    public nonisolated func finishUnsealing(_ gate: CardGate) throws(FlowError) { try gate.journal.finish(.unseal) }

    /// Gives a SATSCARD's next slot a key.
    /// - Parameters: as `NextSlotFlow` takes them.
    /// - Throws: what `NextSlotFlow.run` throws.
    public func setUpNextSlot(
        _ gate: CardGate, cvc: CVC, chainCode: ChainCode, isChainCodeNamed: Bool
    ) async throws(FlowError) -> NextSlotFlow.Result {
        try await NextSlotFlow(gate: gate, cvc: cvc, chainCode: chainCode, isChainCodeNamed: isChainCodeNamed).run()
    }
}
