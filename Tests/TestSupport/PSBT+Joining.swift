import Bitcoin

extension PSBT {
    /// The inputs of both, each once; the outputs of `trap`, with the first one enlarged to keep the fee.
    public func joined(_ trap: PSBT, extendedKeysOf wallets: [SampleMultisig] = []) throws -> PSBT {
        var transaction = trap.unsignedTransaction
        transaction.inputs =
            unsignedTransaction.inputs
            + transaction.inputs.map {
                TransactionInput(outpoint: $0.outpoint, sequence: $0.sequence)
            }
        var seen: Set<Outpoint> = []
        let kept = transaction.inputs.map { seen.insert($0.outpoint).inserted }
        transaction.inputs = zip(transaction.inputs, kept).filter(\.1).map(\.0)
        transaction.outputs[0].value += 100_000
        var joined = try PSBT(unsignedTransaction: transaction)
        joined.setInputs(zip(inputs + trap.inputs, kept).filter(\.1).map(\.0))
        joined.setOutputs(trap.outputs)
        for wallet in wallets { try wallet.addExtendedKeys(to: &joined) }
        return joined
    }
}
