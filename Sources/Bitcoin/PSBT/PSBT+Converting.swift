import ByteCodec

extension PSBT {
    /// The same PSBT in another version: the same unsigned transaction, and every record that the version can hold.
    ///
    /// From version 2 to 0, the transaction gets the lock time that its inputs require together. What only version 2 can
    /// express is dropped: each input's required lock time, the fallback, and what may still change. From version 0 to 2,
    /// nothing may still change, and inputs with a witness script that can only be spent with a lock time require it.
    /// - Throws: `PSBTError.field` with `.transactionVersion` when version 2 cannot hold the transaction, because its version is too
    ///   low; `.tooManyRecords`.
    ///
    /// Spec: BIP-370, "Specification", "Backwards Compatibility".
    public func converted(to target: Version) throws(PSBTError) -> PSBT {
        guard target != version else { return self }
        var kept = self
        kept.removeFields(notIn: target)
        switch target {
        case .v0:
            let transaction = unsignedTransaction.serialized(.withoutWitnesses)
            kept.global.set(PSBTGlobalType.unsignedTransaction.rawValue, transaction[...])
        case .v2:
            let transactionVersion = Int32(bitPattern: unsignedTransaction.version)
            guard transactionVersion >= Self.leastTransactionVersion else {
                throw .field(
                    PSBTFieldID(.global, PSBTGlobalType.transactionVersion.rawValue),
                    .transactionVersion(transactionVersion))
            }
            kept.addTransactionFields()
            kept.addRequiredLockTimes()
        }
        guard kept.recordCount <= Self.maximumRecordCount else {
            throw .tooManyRecords(limit: Self.maximumRecordCount)
        }
        return PSBT(
            version: target, fileForm: fileForm, unsignedTransaction: unsignedTransaction, global: kept.global,
            inputs: kept.inputs, outputs: kept.outputs)
    }

    /// Removes what a version does not allow, and the version record itself.
    mutating func removeFields(notIn target: Version) {
        global.removeFields(notIn: target)
        for index in inputs.indices { inputs[index].map.removeFields(notIn: target) }
        for index in outputs.indices { outputs[index].map.removeFields(notIn: target) }
    }

    /// Adds the version 2 records that make up the transaction.
    private mutating func addTransactionFields() {
        global.insert([
            PSBTRecord(PSBTGlobalType.transactionVersion.rawValue, number: unsignedTransaction.version),
            PSBTRecord(PSBTGlobalType.fallbackLockTime.rawValue, number: unsignedTransaction.lockTime),
            PSBTRecord(PSBTGlobalType.inputCount.rawValue, count: inputs.count),
            PSBTRecord(PSBTGlobalType.outputCount.rawValue, count: outputs.count),
            PSBTRecord(PSBTGlobalType.version.rawValue, number: Version.v2.rawValue),
        ])
        for (index, input) in zip(inputs.indices, unsignedTransaction.inputs) {
            inputs[index].map.insert([
                PSBTRecord(
                    type: PSBTInputType.previousTransactionID.rawValue, value: input.outpoint.transactionID.bytes[...]),
                PSBTRecord(PSBTInputType.outputIndex.rawValue, number: input.outpoint.index),
                PSBTRecord(PSBTInputType.sequence.rawValue, number: input.sequence),
            ])
        }
        for (index, output) in zip(outputs.indices, unsignedTransaction.outputs) {
            outputs[index].map.insert([
                PSBTRecord(PSBTOutputType.amount.rawValue, number: output.value),
                PSBTRecord(type: PSBTOutputType.script.rawValue, value: output.scriptPubKey.bytes[...]),
            ])
        }
    }
}

extension PSBTMap {
    fileprivate mutating func removeFields(notIn version: PSBT.Version) {
        let scope = scope
        removeAll { record in
            if scope == .global, record.type == PSBTGlobalType.version.rawValue { return true }
            return PSBTFieldFormat(of: record.type, in: scope)?.versions.contains(version) == false
        }
    }
}

extension PSBTRecord {
    /// A record whose value is a little-endian number, as wide as its type.
    init(_ type: UInt64, number: some FixedWidthInteger) {
        var value: [UInt8] = []
        value.appendLittleEndian(number)
        self.init(type: type, value: value[...])
    }

    /// A record whose value is a compact size.
    fileprivate init(_ type: UInt64, count: Int) {
        var value: [UInt8] = []
        value.appendCompactSize(count)
        self.init(type: type, value: value[...])
    }
}
