import Bitcoin
import TapProtocol

/// What can be told of a PSBT before the card that is to sign has told its keys: with the accounts that the store knows as
/// proven, else with nobody's keys.
struct SigningPreview {
    /// `nil` when an amount is unknown or out of range, which is refused.
    let review: TransactionReview?
    /// Refusals included.
    let findings: [Finding]
    /// How many signatures of the card's are missing; `nil` when its keys are not known.
    let signatureCount: Int?
    /// How many signatures of the card's are there already; 0 when its keys are not known.
    let presentCount: Int

    /// Whether the card's keys are known.
    var areKeysKnown: Bool { signatureCount != nil }
    /// What speaks against it so that nothing is signed, whatever the card's keys are.
    var refusals: [Finding] { findings.filter { $0.severity == .refusal } }

    /// - Parameter keys: the card's at every account that the PSBT uses; `nil` when one is not known.
    init(_ planner: SigningPlanner, keys: SignerKeys?, store: any Store) {
        var context = keys.map { planner.context(keys: $0) } ?? planner.withoutKeys.contextWithoutKeys()
        var findings = context.findings
        if let keys, findings.contains(where: \.isSettledByStoredWallets),
            let known = try? store.storedWallets(of: keys.masterFingerprint), !known.isEmpty
        {
            context = planner.knowing(known).context(keys: keys)
            findings = context.findings
        }
        review = TransactionReview(context)
        self.findings = findings
        signatureCount = keys.map { _ in context.missingCount }
        presentCount = context.presentCount
    }

    /// What a plan has against the transaction, and was not shown here: warnings word for word, for the same kind with other figures
    /// is another one; and outputs that were shown as coming back, or said to, and do not.
    func news(in plan: SigningPlan) -> [Finding] {
        let shown = Set(findings)
        let warnings = plan.findings.filter { $0.severity == .warning && !shown.contains($0) }
        let told = Set(warnings.map(\.subject))
        return warnings
            + lost(in: plan).map { .output($0) }.filter { !told.contains($0) }.map {
                Finding(
                    .warning, .changeNotProven, $0,
                    "it was shown as coming back, and the card's keys do not prove that: it is a payment.")
            }
    }

    /// Whether a plan tells the same of every output, and of what is the card's.
    func isConfirmed(by plan: SigningPlan) -> Bool {
        guard let review, review.outputs.count == plan.review.outputs.count else { return false }
        return zip(review.outputs, plan.review.outputs).allSatisfy {
            $0.changePath == $1.changePath && $0.isProvenChange == $1.isProvenChange
        } && zip(review.inputs, plan.review.inputs).allSatisfy { $0.path == $1.path }
    }

    /// The outputs that were shown as coming back, be it by the file's word, and are now payments like others.
    private func lost(in plan: SigningPlan) -> [Int] {
        guard let review, review.outputs.count == plan.review.outputs.count else { return [] }
        let payments = Set(plan.review.payments.map(\.index))
        return (review.change + review.doubtfulChange).map(\.index).filter(payments.contains).sorted()
    }
}
