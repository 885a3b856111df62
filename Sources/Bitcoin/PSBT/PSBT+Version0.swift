extension PSBT {
    /// Reads the maps of inputs and outputs after the global map of version 0, which has the transaction.
    /// - Throws: `PSBTError` for anything that BIP-174 calls invalid.
    init(
        version0 global: PSBTMap, readingFrom parser: inout PSBTParser, fileForm: FileForm
    ) throws(PSBTError) {
        let transaction = try Self.unsignedTransaction(in: global)
        var inputs: [Input] = []
        inputs.reserveCapacity(transaction.inputs.count)
        for (index, input) in transaction.inputs.enumerated() {
            let map = try parser.map(.input(index))
            let previous = try Self.previousTransaction(in: map, of: index, spending: input.outpoint)
            inputs.append(Input(map: map, nonWitnessUTXO: previous))
        }
        var outputs: [Output] = []
        outputs.reserveCapacity(transaction.outputs.count)
        for index in transaction.outputs.indices { outputs.append(Output(map: try parser.map(.output(index)))) }
        self.init(
            version: .v0, fileForm: fileForm, unsignedTransaction: transaction, global: global, inputs: inputs,
            outputs: outputs)
    }

    private static func unsignedTransaction(in global: PSBTMap) throws(PSBTError) -> Transaction {
        let type = PSBTGlobalType.unsignedTransaction.rawValue
        let value = try global.requiredValue(type, in: .global)
        try checkSize(ofTransaction: value)
        let transaction: Transaction
        do throws(Transaction.ParsingError) {
            transaction = try Transaction(serialized: value, allowsWitnesses: false)
        } catch { throw .field(PSBTFieldID(.global, type), .transaction(error)) }
        try checkUnsigned(transaction)
        return transaction
    }

    static func checkSize(ofTransaction bytes: ArraySlice<UInt8>) throws(PSBTError) {
        guard bytes.count <= maximumTransactionSize else {
            throw .field(
                PSBTFieldID(.global, PSBTGlobalType.unsignedTransaction.rawValue),
                .transactionTooLarge(limit: maximumTransactionSize))
        }
    }

    static func checkUnsigned(_ transaction: Transaction) throws(PSBTError) {
        guard transaction.inputs.allSatisfy({ $0.scriptSig.isEmpty && $0.witness.isEmpty }) else {
            throw .field(PSBTFieldID(.global, PSBTGlobalType.unsignedTransaction.rawValue), .alreadySigned)
        }
    }
}
