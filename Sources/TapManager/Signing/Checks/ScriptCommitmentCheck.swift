import Bitcoin

/// Redeem and witness scripts match the hashes in the spent outputs; none is missing from our inputs.
struct ScriptCommitmentCheck: SigningCheck {
    func findings(in context: SigningContext) -> [Finding] {
        context.spendings.enumerated().compactMap { index, spending in
            guard case .failure(.input(_, let fault)) = spending else { return nil }
            return finding(fault, input: index, in: context)
        }
    }

    private func finding(_ fault: PSBTInputFault, input index: Int, in context: SigningContext) -> Finding? {
        let subject = context.subject(input: index)
        let isOurs = !context.claims[index].isEmpty
        switch fault {
        case .script(.redeemScriptMismatch), .redeemScriptTooLong:
            return Finding(
                .refusal, .redeemScriptMismatch, subject,
                "the redeem script is not the one that the spent output commits to.")
        case .script(.witnessScriptMismatch):
            return Finding(
                .refusal, .witnessScriptMismatch, subject,
                "the witness script is not the one that the spent output commits to.")
        case .script(.redeemScriptMissing) where isOurs:
            return Finding(.refusal, .redeemScriptMissing, subject, "the redeem script is missing.")
        case .script(.witnessScriptMissing) where isOurs:
            return Finding(.refusal, .witnessScriptMissing, subject, "the witness script is missing.")
        default:
            return nil
        }
    }
}
