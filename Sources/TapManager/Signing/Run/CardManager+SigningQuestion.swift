import Bitcoin

/// How signing is confirmed, whoever signs.
extension CardManager {
    /// Shows a transaction with what the store knows about it, and asks whether to sign it.
    /// - Parameter count: how many signatures are needed; `nil` as long as the signer's keys are unknown.
    nonisolated func confirm(
        _ review: TransactionReview, _ findings: [Finding], for signer: SigningQuestion.Signer, count: Int?,
        _ occasion: SigningQuestion.Occasion
    ) async throws {
        try await interaction.confirm(
            .sign(
                SigningQuestion(
                    signer: signer, review: informed(review), findings: findings, signatureCount: count,
                    occasion: occasion)))
    }

    /// Asks again if a plan, made with the signer's keys, shows anything worse than was confirmed, another network, or other
    /// policies first; otherwise only reports what it shows in addition (`Notice.review`). A plan that signs nothing is not shown.
    nonisolated func confirm(
        _ plan: SigningPlan, for signer: SigningQuestion.Signer, after preview: SigningPreview
    ) async throws {
        guard plan.signatureCount > 0 else { return }
        let news = preview.news(in: plan)
        if !news.isEmpty || preview.review?.network != plan.review.network || !preview.hasPolicies(of: plan) {
            try await confirm(
                plan.review, plan.findings, for: signer, count: plan.signatureCount,
                news.isEmpty ? .first : .worse(news))
        } else if !preview.isConfirmed(by: plan) {
            interaction.notice(.review(informed(plan.review), plan.findings))
        }
    }
}
