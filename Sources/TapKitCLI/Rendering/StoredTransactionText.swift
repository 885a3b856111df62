import TapManager
import Terminal

/// A stored transaction, with what is known without a card, for the user.
struct StoredTransactionText {
    private let shown: StoredTransactionReview

    init(_ shown: StoredTransactionReview) { self.shown = shown }

    /// The review, then what the store knows about it.
    /// - Parameter now: used to compute its age.
    func screen(now: UnixTime) -> [ScreenLine] {
        review(now: now)
            + TransactionLine(shown.transaction.summary, on: shown.network, now: now).lines.map { ScreenLine($0) }
    }

    /// The review alone, as before signing; for a transaction with unknown amounts, whatever is known.
    func review(now: UnixTime) -> [ScreenLine] {
        if let review = shown.review { return ReviewText(review, findings: shown.findings, now: now).screen }
        return [ScreenLine("What it pays is unknown: amounts are missing or invalid.", .strong)]
            + [ScreenLine(ReviewText.signatures(shown.tally))]
            + FindingText.lines(shown.findings.filter { $0.severity == .refusal }).map {
                ScreenLine("tapkit REFUSES to sign: \($0)", .alarm)
            }
    }
}
