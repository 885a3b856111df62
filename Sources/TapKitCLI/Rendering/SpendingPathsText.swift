import Bitcoin
import FrontEndText
import TapManager
import TextLayout

/// Who can spend the inputs of a transaction that have a policy, and on which path it does.
struct SpendingPathsText {
    private let review: TransactionReview
    private let now: UnixTime

    init(_ review: TransactionReview, now: UnixTime) { (self.review, self.now) = (review, now) }

    /// So many policies, and paths of each, are listed: a stranger's inputs can have thousands.
    private static let listed = (policies: 3, paths: 10)

    /// Nothing for a transaction without such inputs.
    var lines: [String] {
        let rest = review.policies.count - Self.listed.policies
        return review.policies.prefix(Self.listed.policies).flatMap(lines)
            + (rest > 0 ? ["Spending paths of further inputs: \(rest.counted("more policy", "more policies"))"] : [])
            + (unlisted > 0 ? ["Spending paths of \(unlisted.counted("input")) are not listed"] : [])
    }

    private var unlisted: Int { review.unlistedPolicyCount }

    private func lines(_ policy: ReviewedPolicy) -> [String] {
        let count = policy.coins.count == review.inputs.count ? "" : " of \(policy.coins.count.counted("input"))"
        let rest = policy.paths.count - Self.listed.paths
        let caution = policy.isPartial ? " that the PSBT shows; there may be others" : ""
        return ["Spending paths\(count)\(caution):"]
            + listed(policy.paths).map { "  \($0.number)  \($0.terms.words): \(state(of: $0))" }
            + (rest > 0 ? ["  and \(rest) more"] : [])
    }

    /// Of many paths, first those that can be taken, then those that open first.
    private func listed(_ paths: [ReviewedPolicy.Path]) -> [ReviewedPolicy.Path] {
        guard paths.count > Self.listed.paths else { return paths }
        let open = paths.filter { $0.isTaken || $0.isOpen }
        let closed = paths.filter { !$0.isTaken && !$0.isOpen }
            .sorted {
                LockOpening.isEarlier($0.opening, $1.opening)
                    || !LockOpening.isEarlier($1.opening, $0.opening) && $0.number < $1.number
            }
        return Array((open + closed).prefix(Self.listed.paths))
    }

    private func state(of path: ReviewedPolicy.Path) -> String {
        if path.isTaken { return "this transaction takes it" }
        if path.isOpen { return "open to this transaction\(path.hasLock ? ", which carries this path's lock" : "")" }
        guard let opening = path.opening, let words = opening.words else { return "closed to this transaction" }
        if opening.isOpen(after: review.knownHeight, at: now) {
            return "closed to this transaction, \(opening.block == nil ? "probably " : "")open to others"
        }
        if let block = opening.block, let time = opening.time, time < now {
            return "closed until block \(block), which has probably been mined by now"
        }
        return "closed until \(words)"
    }
}
