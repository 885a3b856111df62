import Bitcoin
import TapManager

/// What a transaction takes out of one wallet, if that is certain: then it may be signed under a lease.
package struct LeasedSpending: Sendable, Equatable {
    /// The transaction's id before it is signed.
    package let id: TransactionID
    /// The wallet whose descriptors derive every coin that is spent, as it is stored now.
    package let wallet: StoredWallet
    /// What leaves it: payments and fee. Only proven change is not counted.
    package let amount: Amount
    /// How many inputs there are: no card makes more signatures.
    package let inputCount: Int

    /// - Returns: `nil` if the wallet does not derive every coin, an amount is not proven by its previous transaction, or
    ///   there is anything to warn of.
    package init?(_ reviewed: StoredTransactionReview, storedIn manager: CardManager) {
        guard let review = reviewed.review, case .wallet(let name) = review.evidence,
            let stored = try? manager.wallet(named: name).stored, !review.inputs.isEmpty,
            reviewed.findings.allSatisfy({ $0.severity == .notice }),
            let leaving = Self.amount(leavingBy: review)
        else { return nil }
        id = review.unsignedTransactionID
        wallet = stored
        amount = leaving
        inputCount = review.inputs.count
    }

    /// What leaves by a transaction: everything but proven change.
    /// - Returns: `nil` if an amount is not proven by its previous transaction.
    static func amount(leavingBy review: TransactionReview) -> Amount? {
        guard review.inputs.allSatisfy(\.isProven), let spent = Amount.sum(review.inputs.lazy.map(\.amount)),
            let change = Amount.sum(review.change.lazy.map(\.output.amount))
        else { return nil }
        return spent.subtracting(change)
    }
}
