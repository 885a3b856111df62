import Bitcoin
import TapProtocol

/// What is known about a PSBT before the signer's keys are: with the accounts that the store has as proven, or with no
/// keys.
struct SigningPreview {
    /// `nil` if an amount is unknown or out of range, which is refused.
    let review: TransactionReview?
    /// Includes refusals.
    let findings: [Finding]
    /// How many of the card's signatures are missing; `nil` if its keys are unknown.
    let signatureCount: Int?
    /// How many of the card's signatures exist already; 0 if its keys are unknown.
    let presentCount: Int

    /// The findings that prevent signing, whatever the card's keys are.
    var refusals: [Finding] { findings.filter { $0.severity == .refusal } }

    /// - Parameter keys: the card's at every account that the PSBT uses; `nil` if one is unknown.
    /// - Throws: `FlowError`: `.alteredWallet`, `.otherWalletsCoin`, `.noRegistration`, `.store`.
    init(_ planner: SigningPlanner, keys: SignerKeys?, store: any Store) throws(FlowError) {
        var context = keys.map { planner.context(keys: $0) } ?? planner.withoutKeys.contextWithoutKeys()
        var findings = context.findings
        if let keys {
            let registered = try planner.registeredWallets(of: keys, in: store)
            if !registered.isEmpty || findings.contains(where: \.isSettledByStoredWallets),
                let known = planner.known(to: store, of: keys, registered), !known.isEmpty
            {
                context = planner.knowing(known).context(keys: keys)
                findings = context.findings
            }
            try planner.requireRegistration(beforeSigning: context, by: keys)
        }
        let review = TransactionReview(context)
        self.review = review
        self.findings =
            findings
            + (review.map { store.repetitions(of: $0, unsettledBefore: planner.unsettledBefore) } ?? [])
        signatureCount = keys.map { _ in context.missingCount }
        presentCount = context.presentCount
    }

    /// Before anything is known about the signer: with the keys of a remembered card, if it has all of the inputs.
    /// - Parameters:
    ///   - network: the network whose address form is used; `nil`: the one that the PSBT's paths show.
    ///   - unsettledBefore: the stored transactions that were not settled when the running command began.
    init(
        of psbt: PSBT, network: Network?, policy: SigningPolicy, store: any Store,
        unsettledBefore: Set<TransactionID> = []
    ) {
        let planner = SigningPlanner(psbt: psbt, network: network ?? psbt.likelyNetwork ?? .main, policy: policy)
        let context = store.contextOfKnownCard(planner, of: psbt) ?? planner.withoutKeys.contextWithoutKeys()
        let review = TransactionReview(context)
        self.review = review
        findings =
            context.findings + (review.map { store.repetitions(of: $0, unsettledBefore: unsettledBefore) } ?? [])
        signatureCount = nil
        presentCount = 0
    }

    /// What is shown before anything is asked for.
    /// - Throws: `FlowError.refused` if signing is refused whoever signs, or nothing could be shown.
    func requireReview() throws(FlowError) -> TransactionReview {
        guard refusals.isEmpty else { throw .refused(refusals) }
        guard let review else { throw .refused([.amountsDoNotAddUp]) }
        return review
    }

    /// A plan's findings that were not shown here: warnings are compared word for word, as different figures make a
    /// different warning; and outputs that were shown as paying back, or claimed to, but do not.
    func news(in plan: SigningPlan) -> [Finding] {
        let shown = Set(findings)
        let warnings = plan.findings.filter { $0.severity == .warning && !shown.contains($0) }
        let told = Set(warnings.map(\.subject))
        return warnings
            + lost(in: plan).map { .output($0) }.filter { !told.contains($0) }.map {
                Finding(
                    .warning, .changeNotProven, $0,
                    "it was shown as change, but the signer's keys do not prove that. It is a payment.")
            }
    }

    /// Whether a plan lists the same policies in the same order: front ends show only the first ones, which are the signer's as
    /// soon as its keys are known.
    func hasPolicies(of plan: SigningPlan) -> Bool { review?.policies == plan.review.policies }

    /// Whether a plan shows the same for every output, and for what is the card's.
    func isConfirmed(by plan: SigningPlan) -> Bool {
        guard let review, review.outputs.count == plan.review.outputs.count else { return false }
        return zip(review.outputs, plan.review.outputs).allSatisfy {
            $0.changePath == $1.changePath && $0.isProvenChange == $1.isProvenChange
        } && zip(review.inputs, plan.review.inputs).allSatisfy { $0.path == $1.path }
    }

    /// The outputs that were shown as paying back, even if only claimed by the file, and now count as payments.
    private func lost(in plan: SigningPlan) -> [Int] {
        guard let review, review.outputs.count == plan.review.outputs.count else { return [] }
        let payments = Set(plan.review.payments.map(\.index))
        return (review.change + review.doubtfulChange).map(\.index).filter(payments.contains).sorted()
    }
}
