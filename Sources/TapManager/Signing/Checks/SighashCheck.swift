import Bitcoin

/// Hash types other than ALL: parts of the transaction can be changed after signing.
struct SighashCheck: SigningCheck {
    func findings(in context: SigningContext) -> [Finding] {
        context.psbt.inputs.enumerated().compactMap { index, input in
            guard !input.isFinal, let type = input.sighashType, type != .all, !context.claims[index].isEmpty else {
                return nil
            }
            let subject = context.subject(input: index)
            if type.isStandard, type.outputs == .single, index >= context.transaction.outputs.count {
                return Finding(
                    .refusal, .sighashNotAll, subject,
                    "sighash type \(type) covers the output with the input's index, which does not exist.")
            }
            let severity: Finding.Severity =
                context.policy.allowsOtherSighashes && type.isStandard ? .warning : .refusal
            return Finding(
                severity, .sighashNotAll, subject, "sighash type \(type) \(Self.consequence(of: type))")
        }
    }

    private static func consequence(of type: SighashType) -> String {
        guard type.isStandard else { return "is unknown." }
        let open: [String] = [
            type.outputs == .none ? "all outputs" : nil,
            type.outputs == .single ? "all outputs except the one with the input's index" : nil,
            type.outputs != .all ? "the sequence numbers of the other inputs" : nil,
            type.isAnyoneCanPay ? "the other inputs" : nil,
        ].compactMap { $0 }
        return "allows changes after signing to \(open.joined(separator: ", "))."
    }
}
