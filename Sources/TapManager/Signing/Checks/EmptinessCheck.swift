import Bitcoin

/// A transaction without inputs or without outputs: it is invalid, or everything goes to the fee.
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
