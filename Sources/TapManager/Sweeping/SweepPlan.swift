import Bitcoin
import ChainData
import TapProtocol

/// A transaction that takes everything from slots of a SATSCARD. Pure: uses no card, server or clock.
///
/// No plan pays more to miners than to the user, pays back to what it empties, spends unproven amounts, or fails a
/// check of PSBTs, whether it is new or continued.
///
/// Spec: threats, "The store and what is resumed".
package struct SweepPlan: Sendable {
    /// A slot, and the coins at its address.
    package struct Source: Sendable {
        /// Which slot.
        package let slot: SlotNumber
        /// Its address.
        package let address: Address
        /// The coins there.
        package let coins: [ChainCoin]

        /// A slot from its parts.
        package init(slot: SlotNumber, address: Address, coins: [ChainCoin]) {
            self.slot = slot
            self.address = address
            self.coins = coins
        }
    }

    /// One signature to request.
    struct Item: Sendable {
        let inputIndex: Int
        let slot: SlotNumber
        let address: Address
        /// What is signed.
        let digest: Digest
    }

    /// The PSBT, with the signatures of an earlier run.
    package let psbt: PSBT
    /// What the user is shown.
    package let review: TransactionReview
    /// Warnings and notices.
    package let findings: [Finding]
    /// Coins that are left behind, as spending each costs more than it is worth.
    package let leftBehind: [Outpoint]
    /// The slots to empty, in order.
    package let slots: [SlotNumber]
    let items: [Item]

    /// Plans a new transaction: every coin that is worth its fee, to one address.
    /// - Parameters:
    ///   - tip: the height of the last block, for the review.
    ///   - lockHeight: the same for the lock time; `nil`: the tip.
    ///   - policy: what the program forbids in addition to the built-in checks.
    ///   - generator: the source of randomness for order and lock time.
    /// - Throws: `CreationError.building`; with `.insufficient` if nothing would arrive; what resuming throws.
    package init(
        _ sources: [Source], to destination: Address, feeRate: FeeRate, tip: Int,
        lockHeight: UInt32? = nil, policy: SigningPolicy = SigningPolicy(),
        using generator: inout some RandomNumberGenerator
    ) throws(CreationError) {
        let found = sources.flatMap(\.coins)
        let coins = found.map { coin in
            Coin(
                outpoint: coin.outpoint, amount: coin.amount,
                spending: SpendingInformation(scriptPubKey: coin.output.scriptPubKey))
        }
        var request = TransactionRequest(
            coins: coins, payments: [],
            remainder: .drain(Payment(to: destination.scriptPubKey, amount: .zero)), feeDemand: .rate(feeRate))
        request.lockTime = .discouragingFeeSniping(tip: lockHeight ?? UInt32(clamping: tip))
        let draft: TransactionDraft
        let psbt: PSBT
        do {
            draft = try TransactionDraft(request, using: &generator)
            psbt = try draft.psbt(
                previousTransactions: try found.map { try PreviousTransaction($0.transaction) })
        } catch let error as BuildingError {
            throw .building(error)
        } catch { throw .notSpendable }
        try self.init(psbt, sources, network: destination.network, policy: policy, tip: tip)
    }

    /// Continues with a transaction that an earlier run stored.
    /// - Parameter tip: the height of the last block, for the review; `nil`: unknown, as no server was asked.
    /// - Throws: `.notSpendable` if it spends anything else than these slots, or does not have exactly one output;
    ///   `.opensDestination`, `.refused`, `.feeAboveSent`.
    package init(
        resuming psbt: PSBT, _ sources: [Source], network: Network, policy: SigningPolicy = SigningPolicy(),
        tip: Int? = nil
    ) throws(CreationError) {
        try self.init(psbt, sources, network: network, policy: policy, tip: tip)
    }

    private init(
        _ psbt: PSBT, _ sources: [Source], network: Network, policy: SigningPolicy, tip: Int?
    ) throws(CreationError) {
        let owners = Dictionary(
            sources.map { ($0.address.scriptPubKey, $0) }, uniquingKeysWith: { first, _ in first })
        let (review, findings) = try Self.review(psbt, owners, network, policy, tip)
        let digests = SighashCache(psbt.unsignedTransaction)
        var items: [Item] = []
        var slots: Set<SlotNumber> = []
        for index in psbt.inputs.indices {
            do throws(PSBTError) {
                let output = try psbt.spentOutput(ofInput: index)
                guard let owner = owners[output.scriptPubKey] else { throw .noSuchInput(index) }
                slots.insert(owner.slot)
                guard psbt.inputs[index].partialSignatures.isEmpty, !psbt.inputs[index].isFinal else { continue }
                let digest = try psbt.spending(ofInput: index).digest(.all, using: digests)
                items.append(Item(inputIndex: index, slot: owner.slot, address: owner.address, digest: digest))
            } catch { throw .notSpendable }
        }
        self.psbt = psbt
        self.review = review
        self.findings = findings
        let spent = Set(psbt.unsignedTransaction.inputs.map(\.outpoint))
        leftBehind = sources.flatMap(\.coins).map(\.outpoint).filter { !spent.contains($0) }
        self.slots = slots.sorted()
        self.items = items
    }

    /// Reviews a sweep, wherever it comes from.
    private static func review(
        _ psbt: PSBT, _ owners: [Script: Source], _ network: Network, _ policy: SigningPolicy, _ tip: Int?
    ) throws(CreationError) -> (review: TransactionReview, findings: [Finding]) {
        let outputs = psbt.unsignedTransaction.outputs
        guard outputs.count == 1, let output = outputs.first else { throw .notSpendable }
        if let owner = owners[output.scriptPubKey] { throw .opensDestination(owner.address) }
        var policy = policy
        policy.requiresProvenAmounts = true
        let (review, findings) = SigningPlanner(psbt: psbt, network: network, policy: policy).review()
        let refusals = findings.filter { $0.severity == .refusal }
        guard refusals.isEmpty else { throw .refused(SigningRefusal(findings: refusals)) }
        guard var review else { throw .building(.amountsOverflow) }
        review.evidence = .slots
        review.knownHeight = tip
        let fee = review.fee
        guard fee.fee <= fee.sent else { throw .feeAboveSent(fee: fee.fee, sent: fee.sent) }
        return (review, findings)
    }

    /// Whether the transaction only sends coins of these slots to one script.
    package static func isSweep(_ psbt: PSBT, of sources: [Source], to destination: Script) -> Bool {
        let own = Set(sources.map(\.address.scriptPubKey))
        return psbt.unsignedTransaction.outputs.map(\.scriptPubKey) == [destination]
            && psbt.inputs.indices.allSatisfy { index in
                (try? psbt.spentOutput(ofInput: index)).map { own.contains($0.scriptPubKey) } ?? false
            }
    }

    /// The plan in the form that signers show: without paths, as a slot's key has none.
    package var shown: SigningPlan {
        SigningPlan(
            psbt: psbt, stages: [], presentAccount: DerivationPath(), presentCount: psbt.inputs.count - items.count,
            review: review, findings: findings)
    }
}
