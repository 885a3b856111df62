import Bitcoin

/// Redeem and witness scripts hash to what the spent output names; those of our inputs are all there.
struct ScriptCommitmentCheck: SigningCheck {
    func findings(in context: SigningContext) -> [Finding] {
        context.coins.indices.compactMap { index in
            guard case .failure(let problem) = context.openings[index], !context.psbt.inputs[index].isFinal else {
                return nil
            }
            return finding(problem, input: index, in: context)
        }
    }

    private func finding(
        _ problem: SpendingScript.Problem, input index: Int, in context: SigningContext
    ) -> Finding? {
        let subject = context.subject(input: index)
        let isOurs = !context.claims[index].isEmpty
        switch problem {
        case .redeemScriptMismatch:
            return Finding(
                .refusal, .redeemScriptMismatch, subject, "the redeem script is not the one that the spent output names.")
        case .witnessScriptMismatch:
            return Finding(
                .refusal, .witnessScriptMismatch, subject,
                "the witness script is not the one that the spent output names.")
        case .redeemScriptMissing:
            guard isOurs else { return nil }
            return Finding(.refusal, .redeemScriptMissing, subject, "the redeem script is missing.")
        case .witnessScriptMissing:
            guard isOurs else { return nil }
            return Finding(.refusal, .witnessScriptMissing, subject, "the witness script is missing.")
        }
    }
}
