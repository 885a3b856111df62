import Bitcoin

/// A transaction that spends or pays nothing: all there is would be fee, or it is no transaction.
struct EmptinessCheck: SigningCheck {
    func findings(in context: SigningContext) -> [Finding] {
        let missing = [
            context.transaction.inputs.isEmpty ? "no inputs" : nil,
            context.transaction.outputs.isEmpty ? "no outputs" : nil,
        ].compactMap { $0 }
        guard !missing.isEmpty else { return [] }
        return [
            Finding(
                .refusal, .transactionEmpty, .transaction, "The transaction has \(missing.joined(separator: " and ")).")
        ]
    }
}
