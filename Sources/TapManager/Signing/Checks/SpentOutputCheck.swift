import Bitcoin

/// Amount and script of what is spent: proven by the previous transaction, or only claimed.
struct SpentOutputCheck: SigningCheck {
    func findings(in context: SigningContext) -> [Finding] {
        context.coins.indices.compactMap { finding(input: $0, in: context) }
    }

    private func finding(input index: Int, in context: SigningContext) -> Finding? {
        let coin = context.coins[index]
        let subject = context.subject(input: index)
        switch coin.problem {
        case .otherTransaction(let id):
            return Finding(
                .refusal, .previousTransactionMismatch, subject,
                "the previous transaction in the PSBT is another one (\(id)); its amounts prove nothing.")
        case .noSuchOutput(let count):
            return Finding(
                .refusal, .previousOutputMissing, subject, "the previous transaction has only \(count) outputs.")
        case .disagreement(let proven, let claimed):
            return Finding(
                .refusal, .spentOutputsDisagree, subject,
                "the previous transaction pays \(proven.value) sat to \(proven.scriptPubKey), "
                    + "the witness UTXO claims \(claimed.value) sat to \(claimed.scriptPubKey).")
        case .missing:
            return Finding(
                .refusal, .spentOutputUnknown, subject, "the PSBT does not say what is spent; amount and fee are unknown.")
        case nil:
            return coin.evidence == .claim ? unproven(input: index, in: context) : nil
        }
    }

    private func unproven(input index: Int, in context: SigningContext) -> Finding? {
        let subject = context.subject(input: index)
        guard context.isWitnessInput(index) else {
            return Finding(
                .refusal, .previousTransactionMissing, subject,
                "not a witness output, so its amount must be proven by the previous transaction, which is missing.")
        }
        return Finding(
            context.policy.requiresProvenAmounts ? .refusal : .warning, .amountNotProven, subject,
            "the amount is only claimed: the previous transaction is missing. "
                + "Two signings with different claims can burn the difference as fee.")
    }
}
