import Bitcoin
import TapManager

extension QuestionText {
    /// Whether a transaction is signed.
    init(signing asked: SigningQuestion) {
        let review = ReviewText(asked.review, findings: asked.findings, isOwnerKnown: asked.areKeysKnown)
        let inputs = asked.signatureCount.map { " \($0.counted("input"))" } ?? ""
        var still = ""
        switch asked.occasion {
        case .first: lines = review.lines
        case .furtherSigner: lines = review.warningLines
        case .worse:
            lines = ["Now that the card has told its keys, this is what it would sign:"] + review.lines
            still = " all the same"
        }
        question = "Sign\(inputs) with card \(asked.signer.label)\(still)?"
        findings = asked.findings
        untouched = Self.nothingSigned
        warnings = review.warningLines
    }

    /// Whether a transaction is signed with a backup.
    init(withBackupOf fingerprint: Fingerprint, _ review: TransactionReview, findings: [Finding], count: Int) {
        lines = ReviewText(review, findings: findings).lines
        question = "Sign \(count.counted("input")) with the backup of \(fingerprint)?"
        self.findings = findings
        untouched = Self.nothingSigned
    }
}
