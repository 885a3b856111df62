import Bitcoin
import TapManager
import TextLayout

/// A stored transaction, as `tx show` and `tx import` show it with `--json`.
package struct StoredTransactionDocument: Encodable {
    let id: String
    /// Whether the transaction was not stored before; `nil` if nothing was imported.
    let new: Bool?
    /// The transaction that this one replaces.
    let replaces: String?
    let state: String
    let network: String
    let wallet: String?
    let note: String?
    let psbt: String
    let psbtVersion: UInt32
    let feeSat: Int64?
    let vsize: Int64?
    let satPerVb: Double?
    let inputs: [SigningDocument.Input]
    let outputs: [SigningDocument.Output]
    /// Who can spend the inputs that have a policy, and on which path the transaction does; absent: none has one.
    let policies: [ReviewedPolicyDocument]?
    /// How many inputs have a policy that is not among them; absent: none.
    let policiesOmitted: Int?
    /// What shows which outputs come back; only `keys` prove it.
    let evidence: String?
    /// The name of the wallet whose descriptors show it.
    let evidenceWallet: String?
    let warnings: [FindingDocument]
    let notices: [FindingDocument]
    /// Refusals, warnings and notices.
    let findings: [FindingDocument]
    let signedBy: [String]
    /// Who can add missing signatures.
    let canSign: [String]
    let missing: Int
    /// True if there is another way to complete it, on another spending path or with other keys on the same one; otherwise
    /// absent.
    let otherPathOpen: Bool?
    let created: Int64
    let createdAt: String
    let updated: Int64
    let updatedAt: String
    let sent: Int64?
    let sentAt: String?
    /// The sum of the outputs that are not proven change; if all are, the sum of all.
    let sentSat: Int64?
    /// The height of its block or, if it was replaced, of its replacement's block.
    let height: Int?
    let confirmations: Int
    /// The confirmed transaction that spends one of its coins.
    let replacedBy: String?
    let txid: String?
    let tx: String?

    /// A stored transaction with its review, if it could be reviewed.
    /// - Parameters:
    ///   - isNew: whether it was not stored before; `nil`: nothing was imported.
    ///   - replaced: the transaction that it replaces; `nil`: none.
    package init(_ shown: StoredTransactionReview, isNew: Bool? = nil, replaces replaced: TransactionID? = nil) {
        new = isNew
        replaces = replaced?.description
        let transaction = shown.transaction
        let summary = transaction.summary
        let result = SigningResult(transaction.psbt, added: 0)
        id = summary.id.description
        state = summary.state.rawValue
        network = shown.network.rawValue
        wallet = summary.wallet.map { TerminalText.neutralized($0) }
        note = summary.note.isEmpty ? nil : TerminalText.neutralized(summary.note)
        psbt = transaction.psbt.base64Text
        psbtVersion = transaction.psbt.version.rawValue
        feeSat = shown.review?.fee.fee.satoshis
        vsize = shown.review?.fee.virtualSize
        satPerVb = shown.review.flatMap { Double($0.fee.rateText) }
        inputs = shown.review.map(SigningDocument.Input.all) ?? []
        outputs = shown.review.map(SigningDocument.Output.all) ?? []
        policies = ReviewedPolicyDocument.all(of: shown.review)
        policiesOmitted = ReviewedPolicyDocument.omitted(of: shown.review)
        evidence = shown.review?.evidence.code
        evidenceWallet = shown.review?.evidence.wallet
        warnings = shown.findings.filter { $0.severity != .notice }.map { FindingDocument($0, in: shown.review) }
        notices = shown.findings.filter { $0.severity == .notice }.map { FindingDocument($0, in: shown.review) }
        findings = shown.findings.map { FindingDocument($0, in: shown.review) }
        signedBy = summary.signedBy.map(\.description)
        canSign = shown.tally.canSign.map(\.description)
        missing = summary.missing
        otherPathOpen = shown.review?.isAnotherPathOpen == true ? true : nil
        created = summary.created.seconds
        createdAt = summary.created.iso8601
        updated = summary.updated.seconds
        updatedAt = summary.updated.iso8601
        sent = summary.sent?.seconds
        sentAt = summary.sent?.iso8601
        sentSat = shown.review?.fee.sent.satoshis
        height = summary.standing?.height
        confirmations = summary.confirmations
        replacedBy = summary.standing?.replacedBy?.description
        txid = result.transaction?.id.description
        tx = result.transaction?.hexText
    }
}
