import Bitcoin

/// Decides what a card signs in a PSBT, and what is wrong with the PSBT. Pure: uses no card, clock or file.
///
/// Spec: threats, "The PSBT lies".
package struct SigningPlanner: Sendable {
    /// The most accounts of one card that a PSBT may use; for each, the card's path must be changed.
    static let maximumAccounts = 16

    private let psbt: PSBT
    private let network: Network
    let policy: SigningPolicy
    private var known: StoredWallets
    private let wallet: WatchWallet?
    /// The network of the signer's keys; `nil`: unknown.
    var signerNetwork: KeyNetwork?
    /// What only the stored PSBT says about keys that have signed, by input.
    var earlier: [Int: EarlierClaims] = [:]
    /// The stored transactions that were not settled when the running command began; see `EarlierPayment`.
    var unsettledBefore: Set<TransactionID> = []

    /// A planner for a PSBT.
    /// - Parameters:
    ///   - network: selects the form of addresses, and whose extended keys the PSBT may have.
    ///   - policy: what the user allows or forbids in addition to the built-in checks.
    ///   - known: what stored wallets show about the signer's accounts, for what the PSBT's inputs alone do not.
    ///   - wallet: the one that the transaction belongs to; what it claims as its own is checked against the signer's
    ///     keys. `nil`: none.
    package init(
        psbt: PSBT, network: Network, policy: SigningPolicy = SigningPolicy(),
        known: StoredWallets = StoredWallets(), wallet: WatchWallet? = nil
    ) {
        self.wallet = wallet
        self.psbt = psbt
        self.network = network
        self.policy = policy
        self.known = known
    }

    /// The same for a review without the signer's keys. It leaves out what needs them: the check of what a wallet
    /// claims as its own, and the program's own checks, which would mistake change for payments.
    var withoutKeys: SigningPlanner {
        var policy = policy
        policy.checks = []
        var planner = SigningPlanner(psbt: psbt, network: network, policy: policy)
        planner.signerNetwork = signerNetwork
        return planner
    }

    /// The same, with what stored wallets show.
    func knowing(_ known: StoredWallets) -> SigningPlanner {
        var planner = self
        planner.known = known
        return planner
    }

    /// The hardened paths whose extended keys the plan needs: those of every input and output that has the fingerprint,
    /// in order of appearance.
    /// - Throws: `SigningRefusal` (`too_many_accounts`) above `maximumAccounts`.
    package func accounts(of fingerprint: Fingerprint) throws(SigningRefusal) -> [DerivationPath] {
        // Not lazily: every step of a lazy collection would read all derivations of its input again.
        let derivations = [psbt.inputs.flatMap(\.derivations), psbt.outputs.flatMap(\.derivations)]
        var seen: Set<DerivationPath> = []
        var accounts: [DerivationPath] = []
        for derivation in derivations.joined() where derivation.fingerprint == fingerprint {
            guard let path = CardPath(derivation.path), seen.insert(path.account).inserted else { continue }
            accounts.append(path.account)
            guard accounts.count <= Self.maximumAccounts else {
                let finding = Finding(
                    .refusal, .tooManyAccounts, .transaction,
                    "The PSBT uses more than \(Self.maximumAccounts) accounts of the card.")
                throw SigningRefusal(findings: [finding])
            }
        }
        return accounts
    }

    /// The hardened paths whose keys tell which of the earlier claims hold. Any may be a lie: no card is moved there.
    func earlierAccounts(of fingerprint: Fingerprint) -> Set<DerivationPath> {
        let claimed = earlier.values.lazy.flatMap(\.derivations).filter { $0.fingerprint == fingerprint }
        return Set(claimed.compactMap { CardPath($0.path)?.account })
    }

    /// Makes the plan.
    /// - Parameters:
    ///   - keys: the card's extended keys at all of `accounts(of:)`.
    ///   - present: the card's current path; its stage comes first.
    ///   - final: the path that the card shall have afterwards; its stage comes last.
    /// - Throws: `SigningRefusal` with every refusal.
    package func plan(
        keys: SignerKeys, present: DerivationPath, final: DerivationPath
    ) throws(SigningRefusal) -> SigningPlan {
        let context = context(keys: keys)
        let findings = context.findings
        let refusals = findings.filter { $0.severity == .refusal }
        guard refusals.isEmpty else { throw SigningRefusal(findings: refusals) }
        guard let review = TransactionReview(context) else {
            throw SigningRefusal(findings: [.amountsDoNotAddUp])
        }
        return SigningPlan(
            psbt: psbt, stages: stages(context, present: present, final: final), presentAccount: present,
            presentCount: context.presentCount,
            review: review, findings: findings)
    }

    /// What follows from the PSBT without keys.
    func contextWithoutKeys() -> SigningContext {
        var context = context(keys: .nobody(in: psbt))
        context.evidence = .nothing
        return context
    }

    /// What follows from the PSBT with these keys.
    func context(keys: SignerKeys) -> SigningContext {
        var context = SigningContext(
            psbt: psbt, keys: keys, network: network, policy: policy, known: known, earlier: earlier)
        context.wallet = wallet
        context.signerNetwork = signerNetwork
        return context
    }

    private func stages(
        _ context: SigningContext, present: DerivationPath, final: DerivationPath
    ) -> [SigningPlan.Stage] {
        var items: [DerivationPath: [SigningPlan.Item]] = [:]
        var order: [DerivationPath] = []
        for index in psbt.inputs.indices {
            for (account, item) in context.items(input: index) {
                if items[account] == nil { order.append(account) }
                items[account, default: []].append(item)
            }
        }
        let first = order.filter { $0 == present }
        let last = order.filter { $0 == final && $0 != present }
        let between = order.filter { $0 != present && $0 != final }
        return (first + between + last).map { SigningPlan.Stage(account: $0, items: items[$0] ?? []) }
    }
}

extension SigningContext {
    /// Works out what is known about every input and output.
    init(
        psbt: PSBT, keys: SignerKeys, network: Network, policy: SigningPolicy,
        known: StoredWallets, earlier: [Int: EarlierClaims]
    ) {
        var keys = keys
        let transaction = psbt.unsignedTransaction
        let coins = psbt.inputs.indices.map { index in
            Result { () throws(PSBTError) in try psbt.spentOutput(ofInput: index) }
        }
        let spendings = psbt.inputs.indices.map { index in
            Result { () throws(PSBTError) in try psbt.spending(ofInput: index) }
        }
        let scripts = spendings.map { try? $0.get().script }
        let claims = zip(psbt.inputs, scripts).map { KeyClaim.judge($0.derivations, script: $1, keys: &keys) }
        let judge = ChangeJudge(
            psbt: psbt, network: network, coins: coins.map { try? $0.get() }, scripts: scripts, claims: claims,
            known: known)
        let changes = zip(transaction.outputs, psbt.outputs).map {
            judge.verdict(output: $0, fields: $1, keys: &keys)
        }
        self.init(
            psbt: psbt, transaction: transaction, digests: SighashCache(transaction), network: network, policy: policy,
            masterFingerprint: keys.masterFingerprint, coins: coins, spendings: spendings, claims: claims,
            changes: changes)
        for (index, earlier) in earlier {
            let claims = KeyClaim.judge(earlier.derivations, script: earlier.script, keys: &keys)
            signedBefore[index] = claims.lazy.compactMap(\.proven?.path.path).first
        }
    }

    /// The card's signatures that an input still lacks, with the card's path for each.
    fileprivate func items(input index: Int) -> [(account: DerivationPath, item: SigningPlan.Item)] {
        let input = psbt.inputs[index]
        guard !input.isFinal else { return [] }
        let type = input.sighashType ?? .all
        let signers = Set(input.partialSignatures.map(\.publicKey))
        return signingKeys(input: index).compactMap { path, key in
            guard !signers.contains(key.bytes), let digest = try? spendings[index].get().digest(type, using: digests)
            else { return nil }
            let item = SigningPlan.Item(
                inputIndex: index, subpath: path.subpath, publicKey: key, digest: digest, sighashType: type)
            return (path.account, item)
        }
    }

    /// The signer's keys that an input is signed with: those on a policy's spending paths that the transaction's locks open,
    /// because other signatures could not count. All of them, if none is on one.
    private func signingKeys(input index: Int) -> [(path: CardPath, key: PublicKey)] {
        let own = claims[index].compactMap(\.proven)
        guard own.count > 1, let locks = try? psbt.locks(ofInput: index),
            let keys = script(index)?.miniscript.map({ SpendingPolicy($0).opened(by: locks).keys })
        else { return own }
        let counting = own.filter { own in keys.contains { $0.isKey(own.key.bytes) } }
        return counting.isEmpty ? own : counting
    }

    /// How many of the signer's signatures are missing.
    var missingCount: Int {
        psbt.inputs.indices.reduce(0) { count, index in
            guard !psbt.inputs[index].isFinal else { return count }
            let signers = Set(psbt.inputs[index].partialSignatures.map(\.publicKey))
            return count + signingKeys(input: index).count { !signers.contains($0.key.bytes) }
        }
    }

    /// How many of the card's signatures exist already; a final input counts as one.
    var presentCount: Int {
        psbt.inputs.indices.reduce(0) { count, index in
            let keys = signingKeys(input: index).map(\.key.bytes)
            guard !psbt.inputs[index].isFinal else { return count + (keys.isEmpty ? 0 : 1) }
            let signers = Set(psbt.inputs[index].partialSignatures.map(\.publicKey))
            return count + keys.count { signers.contains($0) }
        }
    }
}
