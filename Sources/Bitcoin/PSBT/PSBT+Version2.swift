import ByteCodec

extension PSBT {
    /// The lowest transaction version in a version 2 PSBT.
    ///
    /// Spec: BIP-370, "Creator".
    static let leastTransactionVersion: Int32 = 2

    /// Reads the maps of inputs and outputs after the global map of version 2, which has their counts.
    /// - Throws: `PSBTError` for anything that BIP-370 calls invalid, and for a transaction beyond the limits.
    init(
        version2 global: PSBTMap, readingFrom parser: inout PSBTParser, fileForm: FileForm
    ) throws(PSBTError) {
        let inputCount = try global.count(.inputCount)
        let outputCount = try global.count(.outputCount)
        // Every map takes at least one byte, so a false count stops at the end of the file.
        var inputs: [Input] = []
        for index in 0..<inputCount {
            let map = try parser.map(.input(index))
            let previous = try Self.previousTransaction(
                in: map, of: index, spending: Outpoint(version2: map, input: index))
            inputs.append(Input(map: map, nonWitnessUTXO: previous))
        }
        var outputs: [Output] = []
        for index in 0..<outputCount { outputs.append(Output(map: try parser.map(.output(index)))) }
        self.init(
            version: .v2, fileForm: fileForm,
            unsignedTransaction: try Self.transaction(global: global, inputs: inputs, outputs: outputs),
            global: global, inputs: inputs, outputs: outputs)
    }

    /// The unsigned transaction that the maps of version 2 describe.
    /// - Throws: `PSBTError`: `.field` for missing fields and incompatible lock times;
    ///   `.transactionTooLarge`.
    ///
    /// Spec: BIP-370, "Specification", "Determining Lock Time".
    static func transaction(
        global: PSBTMap, inputs: [Input], outputs: [Output]
    ) throws(PSBTError) -> Transaction {
        var transaction = Transaction(
            version: UInt32(
                littleEndian: try global.requiredValue(PSBTGlobalType.transactionVersion.rawValue, in: .global)),
            inputs: [], outputs: [],
            lockTime: try LockTimeDemand.lockTime(
                of: inputs.map { LockTimeDemand($0.map) },
                fallback: global.uint32(PSBTGlobalType.fallbackLockTime.rawValue) ?? 0))
        transaction.inputs.reserveCapacity(inputs.count)
        for (index, input) in inputs.enumerated() {
            transaction.inputs.append(
                TransactionInput(
                    outpoint: try Outpoint(version2: input.map, input: index),
                    sequence: input.map.uint32(PSBTInputType.sequence.rawValue) ?? 0xFFFF_FFFF))
        }
        transaction.outputs.reserveCapacity(outputs.count)
        for (index, output) in outputs.enumerated() {
            transaction.outputs.append(try TransactionOutput(version2: output.map, output: index))
        }
        guard transaction.serialized(.withoutWitnesses).count <= maximumTransactionSize else {
            throw .transactionTooLarge(limit: maximumTransactionSize)
        }
        return transaction
    }
}

extension PSBTMap {
    /// The value of a required type whose key has no key data.
    /// - Throws: `PSBTError.field` with `.missing`.
    func requiredValue(_ type: UInt64, in id: PSBTMapID) throws(PSBTError) -> ArraySlice<UInt8> {
        guard let value = value(type) else { throw .field(PSBTFieldID(id, type), .missing) }
        return value
    }

    /// The 32-bit number of a type whose key has no key data; `nil` when it is missing.
    func uint32(_ type: UInt64) -> UInt32? { value(type).map { UInt32(littleEndian: $0) } }

    /// How many maps of inputs or outputs follow.
    fileprivate func count(_ type: PSBTGlobalType) throws(PSBTError) -> Int {
        var reader = ByteReader(try requiredValue(type.rawValue, in: .global))
        do throws(ByteReader.ReadingError) {
            return Int(clamping: try reader.compactSize())
        } catch { throw .field(PSBTFieldID(.global, type.rawValue), .value(error)) }
    }
}

extension Outpoint {
    /// What the input with this index spends, from its version 2 map.
    fileprivate init(version2 map: PSBTMap, input index: Int) throws(PSBTError) {
        let type = PSBTInputType.previousTransactionID.rawValue
        let bytes = try map.requiredValue(type, in: .input(index))
        guard let id = TransactionID(bytes) else {
            throw .field(PSBTFieldID(.input(index), type), .valueLength(bytes.count))
        }
        self.init(
            transactionID: id,
            index: UInt32(
                littleEndian: try map.requiredValue(PSBTInputType.outputIndex.rawValue, in: .input(index))))
    }
}

extension TransactionOutput {
    /// The output with this index, from its version 2 map.
    fileprivate init(version2 map: PSBTMap, output index: Int) throws(PSBTError) {
        let type = PSBTOutputType.amount.rawValue
        var reader = ByteReader(try map.requiredValue(type, in: .output(index)))
        let bits: UInt64
        do throws(ByteReader.ReadingError) {
            bits = try reader.littleEndian()
        } catch { throw .field(PSBTFieldID(.output(index), type), .value(error)) }
        self.init(
            value: Int64(bitPattern: bits),
            scriptPubKey: Script(try map.requiredValue(PSBTOutputType.script.rawValue, in: .output(index))))
    }
}
