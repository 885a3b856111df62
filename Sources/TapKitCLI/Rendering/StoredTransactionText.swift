import TapManager

/// A stored transaction and what can be told of it without a key, for people.
struct StoredTransactionText {
    private let shown: StoredTransactionReview

    init(_ shown: StoredTransactionReview) { self.shown = shown }

    /// - Parameter now: to tell how old it is.
    func lines(now: UnixTime) -> [String] {
        var lines = TransactionLine(shown.transaction.summary, now: now).lines
        if let review = shown.review {
            lines += ReviewText(review, findings: shown.findings, isOwnerKnown: shown.isOwnerKnown).lines
        }
        lines += FindingText.lines(shown.findings.filter { $0.severity == .refusal }).map {
            "REFUSED by every signing: \($0)"
        }
        if shown.tally.missing > 0 {
            let others = shown.tally.canSign.map(\.description).joined(separator: ", ")
            lines.append(
                "Missing: \(shown.tally.missing.counted("signature")), by \(others)")
        }
        return lines
    }
}
