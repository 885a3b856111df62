import Bitcoin
import TapProtocol

/// Signs a PSBT with one card: `prepare` makes the plan, the user reviews it, `sign` carries it out.
///
/// Every signature is stored as soon as the card's answer is verified. So whatever ends the flow or the process,
/// signatures are there when the same transaction is signed again. The journal keeps the card's own path while it is
/// moved away from it.
package struct SignFlow: Sendable {
    private let driver: CardDriver
    private let cvc: CVC

    /// A flow for one card and its CVC.
    package init(driver: CardDriver, cvc: CVC) {
        self.driver = driver
        self.cvc = cvc
    }

    /// A plan, and the card's original path.
    package struct Preparation: Sendable {
        /// What is signed and shown.
        package let plan: SigningPlan
        /// The card's path before, to which it is moved back at the end.
        let originalPath: DerivationPath
        /// The card's master fingerprint: the proven one, or the claimed one, which serves only to recognize its keys
        /// in the PSBT.
        package let fingerprint: Fingerprint
        /// Whether the card proved its master key.
        let isFingerprintProven: Bool
    }

    /// The result of a flow.
    package struct Outcome: Sendable {
        /// The PSBT with every signature that exists, not finalized.
        package let psbt: PSBT
        /// How many signatures this run added.
        package let added: Int
        /// Why signatures are missing; `nil` if none is.
        package let interruption: FlowError?
        /// The path at which the card was left, as far as is known, if it could not be moved back.
        package let strandedPath: DerivationPath?
    }

    /// Proves the card, reads the keys that the PSBT needs, and makes the plan.
    ///
    /// Wire: `check`, `certs`, one `derive` for the card's own path, and one for every other account that the PSBT
    /// uses, each with a `sign` (the probe) unless the store has the account as proven. If there is no plan, the card
    /// is moved back. Only proven keys make anything the card's, or change.
    /// - Parameter unsettledBefore: the stored transactions that were not settled when the running command began.
    /// - Throws: `FlowError`: `.notGenuine`, `.notSetUp`, `.refused`, `.nothingToSign`, `.card`; `.store` with
    ///   `.contradiction` for a PSBT that contradicts the stored one about a coin.
    package func prepare(
        _ psbt: PSBT, network: Network?, policy: SigningPolicy, unsettledBefore: Set<TransactionID> = []
    ) async throws(FlowError) -> Preparation {
        let cvc = cvc
        let prover = AccountProver(journal: driver.journal, cvc: cvc)
        let (status, own, master) = try await driver.performAuthenticated(task: .signTransaction) { session in
            let status = session.status
            let own = try session.account(at: status.path ?? DerivationPath(), cvc: cvc)
            try prover.prove(own.key, at: own.path, on: session)
            let master = try prover.known(at: DerivationPath(), on: session)
            guard master == nil || master?.publicKey == own.masterKey else {
                throw TapError.badProof(
                    .remembered, detail: "the master key differs from the proven one in the store")
            }
            return (status, own, master)
        }
        let psbt = try driver.journal.inStore { store throws(StoreError) in try store.addingSignatures(to: psbt) }
        let wallet = try driver.journal.inStore { store throws(StoreError) in try store.wallet(of: psbt) }
        let ownPath = try driver.journal.owedPath(from: own.path) ?? own.path
        var planner = try SigningPlanner(
            psbt: psbt, network: network, signer: "The card", signerNetwork: status.keyNetwork, policy: policy,
            wallet: wallet)
        planner.earlier = try driver.journal.inStore { store throws(StoreError) in try store.earlierClaims(for: psbt) }
        planner.unsettledBefore = unsettledBefore
        var keys = SignerKeys(masterFingerprint: own.masterFingerprint, accounts: [own.path: own.key])
        let others = try planner.otherAccounts(of: own.masterFingerprint, than: own.path)
        if !others.isEmpty {
            try AccountProver.requireReturn(to: ownPath)
            try record(psbt, ownPath: ownPath, total: 0)
        }
        do throws(FlowError) {
            for account in others {
                driver.events(.changingPath(account))
                let key = try await driver.perform { session in
                    let key = try session.account(at: account, cvc: cvc).key
                    try prover.prove(key, at: account, on: session)
                    return key
                }
                keys.add(key, at: account)
            }
            keys = try driver.journal.inStore { store throws(StoreError) in
                try store.adding(earlierKeysOf: status.publicKey, for: planner, to: keys)
            }
            let plan = try planner.decide(
                keys: keys, present: others.last ?? own.path, final: ownPath, store: driver.journal.store)
            try driver.journal.inStore { store throws(StoreError) in try store.check(psbt) }
            return Preparation(
                plan: plan, originalPath: ownPath, fingerprint: own.masterFingerprint,
                isFingerprintProven: master != nil)
        } catch {
            if !others.isEmpty, await comeBack(to: ownPath, after: error, isPatient: error.isRefusal) {
                try driver.journal.finishPathChange()
            }
            throw error
        }
    }

    /// Carries out the plan. Never throws: whatever happens, the outcome has what was signed.
    ///
    /// Wire: one `status`, one `derive` for each stage at another path than the card's, one `sign` for each signature
    /// and each repeat after 205; `status`, `derive`, `status` to move the card back, if it was moved.
    package func sign(_ preparation: Preparation) async -> Outcome {
        let original = preparation.originalPath
        let collector = SignatureCollector(preparation.plan)
        var interruption: FlowError?
        do throws(FlowError) {
            if preparation.plan.signatureCount > 0 {
                try store(preparation.plan.psbt)
                try record(preparation.plan.psbt, ownPath: original, total: collector.total)
            }
            for stage in preparation.plan.stages { try await sign(stage, of: preparation, into: collector) }
        } catch {
            interruption = error
        }
        let isMoved =
            preparation.plan.presentAccount != original || preparation.plan.stages.contains { $0.account != original }
        let isRestored =
            isMoved ? await comeBack(to: original, after: interruption, isPatient: interruption == nil) : true
        if isRestored, interruption == nil {
            do throws(FlowError) { try driver.journal.finishPathChange() } catch { interruption = error }
        }
        return Outcome(
            psbt: collector.psbt, added: collector.added, interruption: interruption,
            strandedPath: isRestored || collector.place == original ? nil : collector.place)
    }

    /// Moves the card back if a plan that is not carried out moved it.
    package func abandon(_ preparation: Preparation) async {
        guard preparation.plan.presentAccount != preparation.originalPath else { return }
        if await driver.restorePath(preparation.originalPath, cvc: cvc, isPatient: true) {
            try? driver.journal.finishPathChange()
        }
    }

    /// Moves the card back, but not with a CVC that it has just refused: that would cost another try.
    /// - Returns: whether the card has its path again.
    private func comeBack(to own: DerivationPath, after failure: FlowError?, isPatient: Bool) async -> Bool {
        guard failure?.refusesCVC == true else { return await driver.restorePath(own, cvc: cvc, isPatient: isPatient) }
        return await driver.isAt(own)
    }

    private func record(_ psbt: PSBT, ownPath: DerivationPath, total: Int) throws(FlowError) {
        let state = SignState(
            transaction: psbt.unsignedTransaction.id, ownPath: ownPath, total: total)
        try driver.journal.record(.sign(state))
    }

    /// Stores the transaction that is about to be signed.
    private func store(_ psbt: PSBT) throws(FlowError) {
        let time = driver.journal.clock()
        try driver.journal.inStore { store throws(StoreError) in _ = try store.keep(psbt, at: time) }
    }

    private func sign(
        _ stage: SigningPlan.Stage, of preparation: Preparation, into collector: SignatureCollector
    ) async throws(FlowError) {
        let (cvc, journal, events) = (cvc, driver.journal, driver.events)
        let (original, signer) = (preparation.originalPath, preparation.fingerprint)
        let transaction = preparation.plan.psbt.unsignedTransaction.id
        try await driver.perform { session in
            if try session.refreshStatus().path != stage.account {
                events(.changingPath(stage.account))
                // If the answer gets lost, the card may be there; that it was moved must not be missed.
                if stage.account != original { collector.place = stage.account }
                _ = try session.account(at: stage.account, cvc: cvc)
            }
            collector.place = stage.account
            for item in stage.items where !collector.has(item) {
                if Task.isCancelled { throw FlowError.interrupted }
                let answer = try session.sign(digest: item.digest, subpath: item.subpath, cvc: cvc)
                guard answer.publicKey == item.publicKey else {
                    throw TapError.badProof(
                        .signingKey, detail: "the card signed with a different key than the PSBT names")
                }
                let signature = StoredSignature(
                    inputIndex: item.inputIndex, signature: collector.add(answer.signature, for: item), signer: signer)
                try journal.inStore { store throws(StoreError) in
                    try store.add(signature, to: transaction, at: journal.clock())
                }
                events(.signed(done: collector.done, total: collector.total))
            }
        }
    }
}

extension FlowError {
    /// Whether it was decided, with the card present, not to sign.
    fileprivate var isRefusal: Bool {
        switch self {
        case .refused, .nothingToSign, .alteredWallet, .otherWalletsCoin, .noRegistration, .registrationUnconfirmed,
            .store(.contradiction):
            true
        default: false
        }
    }
}
