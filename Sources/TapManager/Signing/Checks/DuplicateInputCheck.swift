import Bitcoin

/// An output that is spent twice, which makes the transaction invalid.
struct DuplicateInputCheck: SigningCheck {
    func findings(in context: SigningContext) -> [Finding] {
        var first: [Outpoint: Int] = [:]
        return context.transaction.inputs.enumerated().compactMap { index, input in
            if let earlier = first.updateValue(index, forKey: input.outpoint) {
                return Finding(
                    .refusal, .duplicateInput, context.subject(input: index),
                    "spends the same output as input \(earlier).")
            }
            return nil
        }
    }
}
