import Bitcoin
import FrontEndText
import TapManager
import TextLayout

/// Who can spend the inputs of a transaction that have a policy, and on which path it does.
struct SpendingPathsText {
    private let review: TransactionReview
    private let now: UnixTime

    init(_ review: TransactionReview, now: UnixTime) { (self.review, self.now) = (review, now) }

    /// Nothing for a transaction without such inputs.
    var lines: [String] {
        review.policies.flatMap { policy in
            let count = policy.coins.count == review.inputs.count ? "" : " of \(policy.coins.count.counted("input"))"
            return ["Spending paths\(count):"]
                + policy.paths.map { "  \($0.number)  \($0.terms.words): \(state(of: $0))" }
        }
    }

    private func state(of path: ReviewedPolicy.Path) -> String {
        if path.isTaken { return "this transaction takes it" }
        if path.isOpen { return "open, too" }
        guard let opening = path.openingHeight else { return "closed to this transaction" }
        guard let tip = review.knownHeight, opening > tip + 1 else {
            return "closed to this transaction, open to others"
        }
        let date = UnixTime(seconds: now.seconds + Int64(opening - tip - 1) * TimeLock.secondsPerBlock).iso8601.prefix(
            10)
        return "closed until block \(opening), about \(date)"
    }
}
