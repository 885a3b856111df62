import Bitcoin
import TapManager

extension QuestionText {
    /// Asks whether to sign a transaction.
    init(signing asked: SigningQuestion) {
        let text = ReviewText(asked.review, findings: asked.findings)
        let inputs = asked.signatureCount.map { " \($0.counted("input"))" } ?? ""
        var still = ""
        switch asked.occasion {
        case .first: review = text.screen
        case .furtherSigner: review = text.warningLines.map { ScreenLine($0, .alarm) }
        case .worse(let news):
            review =
                [ScreenLine("The card has shown its keys, and the transaction is worse than you were shown:", .alarm)]
                + text.warnings(news).map { ScreenLine("  " + $0, .alarm) } + text.screen
            still = " anyway"
        }
        question = "Sign\(inputs) with card \(asked.signer.label)\(still)?"
        findings = asked.findings
        untouched = Self.nothingSigned
        warnings = text.warningLines
    }

    /// Asks whether to sign a transaction with a backup.
    init(withBackupOf fingerprint: Fingerprint, _ review: TransactionReview, findings: [Finding], count: Int) {
        self.review = ReviewText(review, findings: findings).screen
        question = "Sign \(count.counted("input")) with the backup of \(fingerprint)?"
        self.findings = findings
        untouched = Self.nothingSigned
    }

    /// Asks whether to send a signed transaction. Its warnings were accepted when it was signed.
    init(sending shown: StoredTransactionReview, to server: String) {
        review = StoredTransactionText(shown).review(now: .now())
        question = "Send it through \(server)?"
        untouched = "Nothing was sent."
        occasion = .onTerminalOnly
    }
}
