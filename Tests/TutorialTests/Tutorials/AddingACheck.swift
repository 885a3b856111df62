import Bitcoin
import TapManager

/// Pays nobody but those on a list, and in one day no more than so much.
struct CompanyPolicy: SigningCheck {
    /// Who may be paid.
    let allowed: Set<Script>
    /// The most that may leave in one day, fees included.
    let dailyLimit: Amount
    /// What left today by other transactions than this one, as the company's books have it.
    let spentToday: @Sendable (_ except: TransactionID) -> Amount

    func findings(in context: SigningContext) -> [Finding] {
        guard let review = context.review else { return [] }
        let strangers = review.outputs.enumerated().filter { _, output in
            !output.isProvenChange && !allowed.contains(output.scriptPubKey)
        }
        return strangers.map { .policy(.refusal, .output($0.offset), "pays somebody who is not on the list.") }
            + limitFindings(review)
    }

    private func limitFindings(_ review: TransactionReview) -> [Finding] {
        let leaving = review.outputs.filter { !$0.isProvenChange }.map(\.amount) + [review.fee.fee]
        let before = spentToday(review.unsignedTransactionID)
        if let total = Amount.sum(leaving + [before]), total <= dailyLimit { return [] }
        return [
            .policy(
                .warning, .transaction,
                "With \(before.satoshis) sat sent earlier, this is more than \(dailyLimit.satoshis) sat a day.")
        ]
    }
}

/// What is signed in this company.
func companyRules(_ policy: CompanyPolicy) -> SigningPolicy {
    SigningPolicy(requiresProvenAmounts: true, checks: [policy])
}
