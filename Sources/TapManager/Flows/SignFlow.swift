import Bitcoin
import Synchronization
import TapProtocol

/// Signs a PSBT with one card: `prepare` makes the plan, the person looks at it, `sign` carries it out.
///
/// Every signature is kept the moment the card's answer is verified, so whatever ends the flow, what was signed is in
/// the outcome. Signing again what was signed does no harm.
public struct SignFlow: Sendable {
    private let gate: CardGate
    private let cvc: CVC

    /// A flow for one card and its CVC.
    public init(gate: CardGate, cvc: CVC) {
        self.gate = gate
        self.cvc = cvc
    }

    /// A plan, and where the card's path was before.
    public struct Preparation: Sendable {
        /// What is signed and shown.
        public let plan: SigningPlan
        /// The path the card had, which it gets back at the end.
        public let originalPath: DerivationPath
        /// The card's master fingerprint.
        public let fingerprint: Fingerprint
    }

    /// What came of a flow.
    public struct Outcome: Sendable {
        /// The PSBT with every signature there is, not finalized.
        public let psbt: PSBT
        /// Signatures that this run added.
        public let added: Int
        /// Why not all are there; `nil` when they are.
        public let interruption: FlowError?
        /// The path that the card was left at, as far as is known, if it could not be put back.
        public let strandedPath: DerivationPath?
    }

    /// Proves the card, reads the keys that the PSBT calls for, and plans.
    ///
    /// Wire: `check`, `certs`, one `derive` for the card's own path, and one for every other account that the PSBT
    /// uses; the card's path is put back when nothing comes of the plan.
    /// - Throws: `FlowError`: `.notGenuine`, `.notSetUp`, `.refused`, `.nothingToSign`, `.card`.
    public func prepare(
        _ psbt: PSBT, network: Network?, policy: SigningPolicy
    ) async throws(FlowError) -> Preparation {
        let cvc = cvc
        let (status, own) = try await gate.performAuthenticated(task: "sign") { session in
            let status = session.status
            return (status, try session.account(at: status.path ?? DerivationPath(), cvc: cvc))
        }
        if let network, network.keyNetwork != status.keyNetwork {
            let finding = Finding(
                .refusal, .networkMismatch, .transaction,
                "The card is for \(status.isTestnet ? "the test networks" : "bitcoin"), not for \(network).")
            throw .refused(SigningRefusal(findings: [finding]))
        }
        let planner = SigningPlanner(
            psbt: psbt, network: network ?? (status.isTestnet ? .test : .main), policy: policy)
        var keys = SignerKeys(masterFingerprint: own.masterFingerprint, accounts: [own.path: own.key])
        let others: [DerivationPath]
        do throws(SigningRefusal) {
            others = try planner.accounts(of: own.masterFingerprint).filter { $0 != own.path }
        } catch { throw .refused(error) }
        do throws(FlowError) {
            for account in others {
                gate.events(.changingPath(account))
                keys.add(try await gate.perform { try $0.account(at: account, cvc: cvc).key }, at: account)
            }
            let plan = try plan(planner, keys: keys, present: others.last ?? own.path, final: own.path)
            return Preparation(plan: plan, originalPath: own.path, fingerprint: own.masterFingerprint)
        } catch {
            if !others.isEmpty { _ = await restorePath(own.path, isPatient: error.isRefusal) }
            throw error
        }
    }

    private func plan(
        _ planner: SigningPlanner, keys: SignerKeys, present: DerivationPath, final: DerivationPath
    ) throws(FlowError) -> SigningPlan {
        let plan: SigningPlan
        do throws(SigningRefusal) {
            plan = try planner.plan(keys: keys, present: present, final: final)
        } catch { throw .refused(error) }
        guard plan.signatureCount + plan.presentCount > 0 || plan.psbt.inputs.allSatisfy(\.isFinal) else {
            let named = Set(plan.psbt.inputs.flatMap { $0.derivations.map(\.fingerprint) })
            throw .nothingToSign(
                card: keys.masterFingerprint, named: named.sorted { $0.description < $1.description },
                findings: plan.findings.filter { $0.severity == .warning })
        }
        return plan
    }

    /// Carries the plan out. Never throws: whatever happens, the outcome holds what was signed.
    ///
    /// Wire: one `status`, one `derive` for each stage at another path than the card's, one `sign` for each signature and
    /// each repeat after 205; `status`, `derive`, `status` to put the path back, if it was changed.
    public func sign(_ preparation: Preparation) async -> Outcome {
        let original = preparation.originalPath
        let collector = SignatureCollector(preparation.plan)
        var interruption: FlowError?
        do throws(FlowError) {
            for stage in preparation.plan.stages { try await sign(stage, original: original, into: collector) }
        } catch {
            interruption = error
        }
        let isMoved =
            preparation.plan.presentAccount != original || preparation.plan.stages.contains { $0.account != original }
        let isRestored = isMoved ? await restorePath(original, isPatient: interruption == nil) : true
        return Outcome(
            psbt: collector.psbt, added: collector.added, interruption: interruption,
            strandedPath: isRestored || collector.place == original ? nil : collector.place)
    }

    /// Puts the card's path back if a plan moved it and nothing comes of it.
    public func abandon(_ preparation: Preparation) async {
        guard preparation.plan.presentAccount != preparation.originalPath else { return }
        _ = await restorePath(preparation.originalPath, isPatient: true)
    }

    private func sign(
        _ stage: SigningPlan.Stage, original: DerivationPath, into collector: SignatureCollector
    ) async throws(FlowError) {
        let cvc = cvc
        let events = gate.events
        try await gate.perform { session in
            if try session.refreshStatus().path != stage.account {
                events(.changingPath(stage.account))
                // Should the answer be lost, the card may be there; what must not be missed is that it is away.
                if stage.account != original { collector.place = stage.account }
                _ = try session.account(at: stage.account, cvc: cvc)
            }
            collector.place = stage.account
            for item in stage.items where !collector.has(item) {
                if Task.isCancelled { throw FlowError.interrupted }
                let answer = try session.sign(digest: item.digest, subpath: item.subpath, cvc: cvc)
                guard answer.publicKey == item.publicKey else {
                    throw TapError.badProof(.signingKey, detail: "the card signed with another key than the PSBT names")
                }
                collector.add(answer.signature, for: item)
                events(.signed(done: collector.done, total: collector.total))
            }
        }
    }

    /// Moves the card to its own path, if it is not there, and asks it whether it is. Done even for an interrupted task.
    /// - Parameter isPatient: whether to wait for a card that is lost now.
    /// - Returns: whether the card has the path again.
    private func restorePath(_ path: DerivationPath, isPatient: Bool) async -> Bool {
        let cvc = cvc
        let step: @Sendable (TapSession) throws -> Bool = { session in
            guard try session.refreshStatus().path != path else { return true }
            _ = try session.account(at: path, cvc: cvc)
            return try session.refreshStatus().path == path
        }
        do {
            if isPatient, !Task.isCancelled { return try await gate.perform(repeatable: step) }
            return try await gate.card.perform(step)
        } catch {
            return false
        }
    }
}

extension FlowError {
    /// Whether it was decided not to sign, while the card was at hand.
    fileprivate var isRefusal: Bool {
        switch self {
        case .refused, .nothingToSign: true
        default: false
        }
    }
}

/// The PSBT as signatures come in. Shared between the card's thread and the flow.
private final class SignatureCollector: Sendable {
    private struct State {
        var psbt: PSBT
        var place: DerivationPath
        var signed: Set<SigningPlan.Item> = []
    }

    private let state: Mutex<State>
    private let presentCount: Int
    let total: Int

    init(_ plan: SigningPlan) {
        state = Mutex(State(psbt: plan.psbt, place: plan.presentAccount))
        presentCount = plan.presentCount
        total = plan.presentCount + plan.signatureCount
    }

    /// The path that the card has, or may have been moved to.
    var place: DerivationPath {
        get { state.withLock { $0.place } }
        set { state.withLock { $0.place = newValue } }
    }

    var psbt: PSBT { state.withLock { $0.psbt } }
    var added: Int { state.withLock { $0.signed.count } }
    var done: Int { presentCount + added }

    func has(_ item: SigningPlan.Item) -> Bool { state.withLock { $0.signed.contains(item) } }

    func add(_ signature: ECDSASignature, for item: SigningPlan.Item) {
        let encoded = signature.der + [item.sighashType.byte ?? SighashType.all.byte ?? 1]
        state.withLock {
            $0.psbt.inputs[item.inputIndex].addPartialSignature(encoded, publicKey: item.publicKey.bytes)
            $0.signed.insert(item)
        }
    }
}
