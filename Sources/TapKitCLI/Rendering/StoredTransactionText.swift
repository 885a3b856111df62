import TapManager

/// A stored transaction and what can be told of it without a card, for people.
struct StoredTransactionText {
    private let shown: StoredTransactionReview

    init(_ shown: StoredTransactionReview) { self.shown = shown }

    /// The review, then what the store has to say of it.
    /// - Parameter now: to tell how old it is.
    func screen(now: UnixTime) -> [ScreenLine] {
        review(now: now) + TransactionLine(shown.transaction.summary, now: now).lines.map { ScreenLine($0) }
    }

    /// The review alone, as before a signing. Of a transaction with unknown amounts what can be told.
    func review(now: UnixTime) -> [ScreenLine] {
        if let review = shown.review { return ReviewText(review, findings: shown.findings, now: now).screen }
        return [ScreenLine("What it pays is not known: amounts are missing, or cannot be.", .strong)]
            + [ScreenLine(ReviewText.signatures(shown.tally))]
            + FindingText.lines(shown.findings.filter { $0.severity == .refusal }).map {
                ScreenLine("REFUSED by every signing: \($0)", .alarm)
            }
    }
}
