import Bitcoin
import TapManager

/// The answer of `review`.
package struct ReviewDocument: Encodable {
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
    let evidence: String?
    /// The name of the wallet whose descriptors show it.
    let evidenceWallet: String?
    let feeSat: Int64?
    let satPerVb: Double?
    /// The sum of the outputs that are not proven change.
    let sentSat: Int64?
    /// Refusals, warnings and notices.
    let findings: [FindingDocument]
    let signedBy: [String]
    let canSign: [String]
    let missing: Int
    /// True if there is another way to complete it, on another spending path or with other keys on the same one; otherwise
    /// absent.
    let otherPathOpen: Bool?
    /// How many of the signatures are only in the local store, not in the file.
    let storedSignatures: Int

    /// A review that may have no amounts, for a PSBT that does not say what it spends.
    package init(_ shown: StoredTransactionReview) {
        let review = shown.review
        id = shown.transaction.id.description
        network = shown.network.rawValue
        inputs = review.map(SigningDocument.Input.all) ?? []
        outputs = review.map(SigningDocument.Output.all) ?? []
        policies = ReviewedPolicyDocument.all(of: review)
        policiesOmitted = ReviewedPolicyDocument.omitted(of: review)
        evidence = review?.evidence.code
        evidenceWallet = review?.evidence.wallet
        feeSat = review?.fee.fee.satoshis
        satPerVb = review.flatMap { Double($0.fee.rateText) }
        sentSat = review?.fee.sent.satoshis
        findings = shown.findings.map { FindingDocument($0, in: shown.review) }
        signedBy = shown.tally.signedBy.map(\.description)
        canSign = shown.tally.canSign.map(\.description)
        missing = shown.tally.missing
        otherPathOpen = review?.isAnotherPathOpen == true ? true : nil
        storedSignatures = shown.storedSignatures
    }
}
