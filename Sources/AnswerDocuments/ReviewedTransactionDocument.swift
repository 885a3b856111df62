import Bitcoin
import TapManager

/// A transaction as it is shown before it is signed, with its findings.
package struct ReviewedTransactionDocument: Encodable {
    /// The transaction's id before it is signed.
    let id: String
    let network: String
    let inputs: [SigningDocument.Input]
    let outputs: [SigningDocument.Output]
    /// Who can spend the inputs that have a policy, and on which path this transaction does.
    let policies: [ReviewedPolicyDocument]?
    /// How many inputs have a policy that is not among them; absent: none.
    let policiesOmitted: Int?
    /// What shows which outputs come back; only `keys` prove it.
    let evidence: String
    /// The name of the wallet whose descriptors show it.
    let evidenceWallet: String?
    let feeSat: Int64
    let satPerVb: Double
    /// The sum of the outputs that are not proven change; if all are, the sum of all.
    let sentSat: Int64
    let findings: [FindingDocument]?

    /// - Parameter findings: `nil`: they were shown before.
    package init(_ review: TransactionReview, findings: [Finding]? = nil) {
        id = review.unsignedTransactionID.description
        network = review.network.rawValue
        inputs = SigningDocument.Input.all(of: review)
        outputs = SigningDocument.Output.all(of: review)
        policies = ReviewedPolicyDocument.all(of: review)
        policiesOmitted = ReviewedPolicyDocument.omitted(of: review)
        evidence = review.evidence.code
        evidenceWallet = review.evidence.wallet
        feeSat = review.fee.fee.satoshis
        satPerVb = Double(review.fee.rateText) ?? 0
        sentSat = review.fee.sent.satoshis
        self.findings = findings?.map { FindingDocument($0, in: review) }
    }
}
