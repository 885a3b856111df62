import Bitcoin

/// What a transaction costs, as far as its inputs are known.
public struct FeeSummary: Sendable, Equatable {
    /// Inputs minus outputs, in satoshis; as sure as the least proven amount of an input.
    public let fee: Amount
    /// The sum of the outputs that are not proven change; of all outputs if every one is change.
    public let sent: Amount
    /// The estimated size of the signed transaction in virtual bytes.
    public let virtualSize: Int64

    /// The fee rate in sat/vB with one decimal, rounded down.
    package var rateText: String {
        let tenths = fee.satoshis * 10 / max(1, virtualSize)
        return "\(tenths / 10).\(tenths % 10)"
    }

    /// `nil` if an input's amount is unknown, or the outputs exceed the inputs.
    init?(_ context: SigningContext) {
        let inputs = context.coins.indices.compactMap { context.coin($0)?.amount }
        let outputs = context.transaction.outputs.compactMap(\.amount)
        guard inputs.count == context.coins.count, outputs.count == context.transaction.outputs.count,
            let spent = Amount.sum(inputs), let paid = Amount.sum(outputs), let fee = spent.subtracting(paid)
        else { return nil }
        self.fee = fee
        let foreign = zip(outputs, context.changes).filter { !$1.isProven }.map(\.0)
        sent = foreign.isEmpty ? paid : Amount.sum(foreign) ?? paid
        virtualSize = Int64(context.estimatedVirtualSize)
    }
}

extension SigningContext {
    /// The signed transaction's estimated size in virtual bytes; inputs whose script is unknown count as unsigned.
    var estimatedVirtualSize: Int {
        let unsigned = 4 * transaction.serialized(.withoutWitnesses).count
        let satisfactions = transaction.inputs.indices.reduce(0) { $0 + satisfactionWeight(input: $1) }
        let hasWitnesses = transaction.inputs.indices.contains { script($0)?.signatureRules != .legacy }
        return (unsigned + satisfactions + (hasWitnesses ? 2 : 0) + 3) / 4
    }

    private func satisfactionWeight(input index: Int) -> Int {
        let input = psbt.inputs[index]
        guard input.isFinal else {
            return script(index)?.satisfactionWeight(
                publicKeyLength: PublicKey.length, locks: try? psbt.locks(ofInput: index)) ?? 0
        }
        let scriptSig = input.finalScriptSig?.bytes.count ?? 0
        let witness = input.finalWitness?.reduce(1) { $0 + 1 + $1.count } ?? 0
        return 4 * scriptSig + witness
    }
}
