import ByteCodec

extension PSBT {
    /// The first five bytes of every PSBT.
    static let magic: [UInt8] = [0x70, 0x73, 0x62, 0x74, 0xFF]

    /// Reads the binary form. Every record is checked against the rules of its type; unknown ones are kept.
    ///
    /// Previous transactions are hashed and compared with the outpoints; that scripts fit the outputs they belong to,
    /// and that signatures verify, is not checked here.
    /// - Throws: `PSBTError` for anything that BIP-174 calls invalid, and beyond the limits of `PSBT`.
    public init(serialized bytes: [UInt8]) throws(PSBTError) {
        try self.init(serialized: bytes, fileForm: .binary)
    }

    init(serialized bytes: [UInt8], fileForm: FileForm) throws(PSBTError) {
        guard bytes.count <= Self.maximumSize else { throw .tooLarge(limit: Self.maximumSize) }
        guard bytes.starts(with: Self.magic) else { throw .wrongMagic }
        var parser = PSBTParser(bytes, offset: Self.magic.count)
        let global = try parser.globalMap()
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
        try parser.expectEnd()
        self.init(
            version: parser.version, fileForm: fileForm, unsignedTransaction: transaction, global: global,
            inputs: inputs, outputs: outputs)
    }

    /// The binary form.
    public func serialized() -> [UInt8] {
        var bytes = Self.magic
        let bound =
            global.serializedLengthBound + inputs.reduce(0) { $0 + $1.map.serializedLengthBound }
            + outputs.reduce(0) { $0 + $1.map.serializedLengthBound }
        bytes.reserveCapacity(bytes.count + bound)
        global.serialize(into: &bytes)
        for input in inputs { input.map.serialize(into: &bytes) }
        for output in outputs { output.map.serialize(into: &bytes) }
        return bytes
    }

    private static func unsignedTransaction(in global: PSBTMap) throws(PSBTError) -> Transaction {
        let type = PSBTGlobalType.unsignedTransaction.rawValue
        let field = PSBTFieldID(.global, type)
        guard let value = global.value(type) else { throw .field(field, .missing) }
        try checkSize(ofTransaction: value)
        let transaction: Transaction
        do throws(Transaction.ParsingError) {
            transaction = try Transaction(serialized: value, allowsWitnesses: false)
        } catch { throw .field(field, .transaction(error)) }
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

    private static func previousTransaction(
        in map: PSBTMap, of index: Int, spending outpoint: Outpoint
    ) throws(PSBTError) -> PreviousTransaction? {
        let type = PSBTInputType.nonWitnessUTXO.rawValue
        guard let value = map.value(type) else { return nil }
        let field = PSBTFieldID(.input(index), type)
        let previous: PreviousTransaction
        do throws(Transaction.ParsingError) {
            previous = try PreviousTransaction(serialized: value)
        } catch { throw .field(field, .transaction(error)) }
        if let fault = previous.fault(spending: outpoint) { throw .field(field, fault) }
        return previous
    }
}

extension PreviousTransaction {
    /// Why this is not the transaction that has the output; `nil` when it is.
    func fault(spending outpoint: Outpoint) -> PSBTFieldFault? {
        guard txid == outpoint.transactionID else { return .otherTransaction(txid) }
        return outpoint.index < outputCount ? nil : .noSuchOutput(outpoint.index)
    }
}
