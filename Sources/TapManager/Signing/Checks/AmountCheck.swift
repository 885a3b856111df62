import Bitcoin

/// Amounts and their sums stay within the money supply, and outputs do not exceed inputs.
struct AmountCheck: SigningCheck {
    func findings(in context: SigningContext) -> [Finding] {
        var findings: [Finding] = []
        let coins = context.coins.indices.map(context.coin)
        for (index, coin) in coins.enumerated() {
            guard let output = coin, output.amount == nil else { continue }
            findings.append(outOfRange(context.subject(input: index), output.value))
        }
        for (index, output) in context.transaction.outputs.enumerated() where output.amount == nil {
            findings.append(outOfRange(.output(index), output.value))
        }
        guard findings.isEmpty else { return findings }
        guard let paid = Amount.sum(context.transaction.outputs.lazy.compactMap(\.amount)),
            let spent = Amount.sum(coins.lazy.compactMap { $0?.amount })
        else {
            return [
                Finding(.refusal, .amountOutOfRange, .transaction, "The amounts add up to more than 21 million BTC.")
            ]
        }
        guard coins.allSatisfy({ $0 != nil }), paid > spent else { return [] }
        return [
            Finding(
                .refusal, .outputsExceedInputs, .transaction,
                "The outputs pay \(paid.satoshis) sat, but the inputs have only \(spent.satoshis) sat.")
        ]
    }

    private func outOfRange(_ subject: Finding.Subject, _ value: Int64) -> Finding {
        Finding(.refusal, .amountOutOfRange, subject, "\(value) sat is not a valid amount (0 to 2100000000000000).")
    }
}
