import Bitcoin
import TapManager

/// A spending path of a wallet as JSON.
struct SpendingPathDocument: Encodable {
    struct Signers: Encodable {
        let threshold: Int
        /// Master fingerprints of the keys' origins; a key without one in hexadecimal.
        let keys: [String]
        /// In the same order the names of the cards that have proven these keys; absent if none has a name.
        let names: [String?]?
        /// The same of the user's labels of keys that have no such name.
        let labels: [String?]?

        init(_ group: SpendingTerms.Group) {
            (threshold, keys) = (group.threshold, group.keys.map(\.text))
            let names = group.keys.map(\.cardName)
            self.names = names.contains { $0 != nil } ? names : nil
            let labels = group.keys.map(\.label)
            self.labels = labels.contains { $0 != nil } ? labels : nil
        }
    }

    struct Preimage: Encodable {
        let function: String
        let hash: String
    }

    /// From 1.
    let path: Int
    let signers: [Signers]
    /// Which signatures and preimages are enough, where there are too many paths to list each: see
    /// `SpendingTerms.choiceText`. Not every set of `signers` is then. Otherwise absent.
    let choice: String?
    /// How old a coin must be.
    let olderBlocks: UInt32?
    let olderSeconds: Int64?
    /// What must have passed.
    let afterHeight: UInt32?
    let afterTime: UInt32?
    /// Absent with `choice`, which has them.
    let preimages: [Preimage]?
    /// How many coins it is open to.
    private(set) var openCoins: Int?
    /// The block from which it is open to the next coin, or in a review to another transaction; absent if a lock is one of
    /// time.
    private(set) var nextHeight: Int?
    /// About when that is.
    private(set) var nextAt: String?
    /// In a review: whether the transaction can take it, and whether it does.
    private(set) var open: Bool?
    private(set) var taken: Bool?
    /// In a review, true if the transaction has one of the path's locks, no longer than the path demands; otherwise absent.
    private(set) var hasLock: Bool?

    /// A wallet's.
    init(_ numbered: WalletSpendingPath, _ opening: SpendingPathOpening? = nil) {
        self.init(numbered.number, numbered.terms)
        openCoins = opening?.openCoins
        (nextHeight, nextAt) = (opening?.next?.block, opening?.next?.time?.iso8601)
    }

    /// A transaction's.
    init(_ reviewed: ReviewedPolicy.Path) {
        self.init(reviewed.number, reviewed.terms)
        (open, taken, hasLock) = (reviewed.isOpen, reviewed.isTaken, reviewed.hasLock ? true : nil)
        (nextHeight, nextAt) = (reviewed.opening?.block, reviewed.opening?.time?.iso8601)
    }

    private init(_ number: Int, _ terms: SpendingTerms) {
        path = number
        signers = terms.groups.map(Signers.init)
        choice = terms.choiceText
        olderBlocks = terms.older.first { !TimeLock.isTime($0) }.map(TimeLock.count)
        olderSeconds = terms.older.first(where: TimeLock.isTime).map {
            Int64(TimeLock.count($0)) * TimeLock.secondsPerUnit
        }
        afterHeight = terms.after.first { !TimeLock.isDate($0) }
        afterTime = terms.after.first(where: TimeLock.isDate)
        let hashes = terms.preimages.map {
            Preimage(function: $0.function.rawValue, hash: Script($0.hash).description)
        }
        preimages = hashes.isEmpty || choice != nil ? nil : hashes
    }
}

/// The policy of some of a transaction's inputs as JSON.
struct ReviewedPolicyDocument: Encodable {
    /// How many inputs have it.
    let inputs: Int
    /// False of taproot, of which a PSBT may show only some paths; otherwise absent.
    let complete: Bool?
    let paths: [SpendingPathDocument]

    /// All of a review; `nil`: no input has one.
    static func all(of review: TransactionReview?) -> [ReviewedPolicyDocument]? {
        guard let policies = review?.policies, !policies.isEmpty else { return nil }
        return policies.map { policy in
            ReviewedPolicyDocument(
                inputs: policy.coins.count, complete: policy.isPartial ? false : nil,
                paths: policy.paths.map { SpendingPathDocument($0) })
        }
    }

    /// How many inputs have a policy that is not listed; `nil`: none.
    static func omitted(of review: TransactionReview?) -> Int? {
        review.flatMap { $0.unlistedPolicyCount > 0 ? $0.unlistedPolicyCount : nil }
    }
}
