import Bitcoin

/// The amount and script of what is spent: proven by the previous transaction, or only claimed.
struct SpentOutputCheck: SigningCheck {
    func findings(in context: SigningContext) -> [Finding] {
        context.coins.indices.compactMap { finding(input: $0, in: context) }
    }

    private func finding(input index: Int, in context: SigningContext) -> Finding? {
        let subject = context.subject(input: index)
        switch context.coins[index] {
        case .success: return context.isProven(index) ? nil : unproven(input: index, in: context)
        case .failure(.field(_, .noSuchOutput)):
            let count = context.psbt.inputs[index].nonWitnessUTXO?.outputCount ?? 0
            return Finding(
                .refusal, .previousOutputMissing, subject,
                "the previous transaction has only \(count.counted("output")).")
        case .failure(.field):
            return Finding(
                .refusal, .previousTransactionMismatch, subject,
                "the previous transaction in the PSBT is not the one that is spent, so it proves no amount.")
        case .failure(.input(_, .contradictingSpentOutputs)):
            return disagreement(input: index, in: context)
        case .failure:
            return Finding(
                .refusal, .spentOutputUnknown, subject,
                "the PSBT does not say what is spent, so amount and fee are unknown.")
        }
    }

    private func disagreement(input index: Int, in context: SigningContext) -> Finding {
        let input = context.psbt.inputs[index]
        let outpoint = context.transaction.inputs[index].outpoint
        let words = { (output: TransactionOutput?) in
            output.map { "\($0.value) sat to \($0.scriptPubKey.abbreviated)" } ?? "nothing"
        }
        return Finding(
            .refusal, .spentOutputsDisagree, context.subject(input: index),
            "the previous transaction pays \(words(input.nonWitnessUTXO?.output(at: outpoint.index))), "
                + "but the witness UTXO claims \(words(input.witnessUTXO)).")
    }

    /// Only digests for witness programs cover the amount, including others' with scripts unknown here. For all else,
    /// the previous transaction must prove it.
    private func unproven(input index: Int, in context: SigningContext) -> Finding {
        let subject = context.subject(input: index)
        guard context.spendsWitnessProgram(index) else {
            return Finding(
                .refusal, .previousTransactionMissing, subject,
                "not a witness output, so the previous transaction must prove its amount, but it is missing.")
        }
        return Finding(
            context.policy.requiresProvenAmounts ? .refusal : .warning, .amountNotProven, subject,
            "the amount is only claimed, as the previous transaction is missing. "
                + "Signing twice with different claims can lose the difference as fee.")
    }
}

extension SigningContext {
    /// Whether an input spends a witness program, bare or, if the redeem script is there, inside P2SH.
    fileprivate func spendsWitnessProgram(_ index: Int) -> Bool {
        if let script = script(index) { return script.signatureRules != .legacy }
        guard let coin = coin(index) else { return false }
        return (psbt.inputs[index].redeemScript ?? coin.scriptPubKey).witnessProgram != nil
    }
}
