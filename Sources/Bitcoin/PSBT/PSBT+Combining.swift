extension PSBT {
    /// The records of both PSBTs, each key once. Version and file form stay those of this PSBT.
    ///
    /// When both have a key with different values:
    /// - Signatures, final scripts, witnesses and previous transactions can both be right: a key can sign twice, and a
    ///   transaction can be written with and without witnesses. The meaning of unknown and proprietary fields is not known
    ///   here. The value that sorts first stays, so that the order of combining makes no difference.
    /// - Fallback lock times can differ when inputs require one, and then have no effect: again the first stays.
    /// - Of the modifiable flags, which version 2 has, permissions stay if both grant them, and all others stay; version 0
    ///   grants none.
    /// - All other values contradict each other, and the PSBTs are rejected.
    ///
    /// PSBTs of version 2 describe the same transaction when only sequence numbers differ; a sequence number that only one
    /// of them has is taken over. Signatures are not that lenient: a PSBT that has one is never combined with another that
    /// changes the signed transaction.
    ///
    /// From a PSBT of another version, the records that this version can hold are taken over; those that make up the
    /// transaction are the same in both.
    ///
    /// Combining with itself changes nothing. Records from the other PSBT go where Bitcoin Core would write them.
    /// - Throws: `PSBTError.otherTransaction` when the transactions differ; `.conflict`, also for lock
    ///   times that would change the transaction only in combination, and for sequence numbers that would change a signed one;
    ///   `.tooManyRecords`.
    ///
    /// Spec: BIP-174, "Combiner"; BIP-370, "Unique Identification".
    public func combined(with other: PSBT) throws(PSBTError) -> PSBT {
        guard isSameTransaction(as: other) else { throw .otherTransaction(other.unsignedTransaction.id) }
        let given = other
        var other = other
        if other.version != version { other.removeFields(notIn: version) }
        var result = self
        if version == .v2 {
            if modifiableFlags != other.modifiableFlags {
                result.modifiableFlags = (modifiableFlags ?? []).combined(with: other.modifiableFlags ?? [])
            }
            other.modifiableFlags = result.modifiableFlags
        }
        try result.global.merge(other.global, as: .global)
        for (index, input) in zip(result.inputs.indices, other.inputs) {
            try result.inputs[index].merge(input, as: .input(index))
        }
        for (index, output) in zip(result.outputs.indices, other.outputs) {
            try result.outputs[index].map.merge(output.map, as: .output(index))
        }
        guard result.recordCount <= Self.maximumRecordCount else {
            throw .tooManyRecords(limit: Self.maximumRecordCount)
        }
        if version == .v2 { try result.checkLockTimes(combinedFrom: self) }
        guard unsignedTransaction != given.unsignedTransaction else { return result }
        return try result.withSequences(combinedFrom: [self, given])
    }

    var recordCount: Int {
        global.records.count + inputs.reduce(0) { $0 + $1.map.records.count }
            + outputs.reduce(0) { $0 + $1.map.records.count }
    }

    /// Checks that the lock times of two PSBTs together give the same lock time as each did alone.
    private func checkLockTimes(combinedFrom one: PSBT) throws(PSBTError) {
        let demands = inputs.map { LockTimeDemand($0.map) }
        let lockTime = try LockTimeDemand.lockTime(of: demands, fallback: unsignedTransaction.lockTime)
        guard lockTime != unsignedTransaction.lockTime else { return }
        let earlier = one.inputs.map { LockTimeDemand($0.map) }
        let index = zip(demands, earlier).enumerated().first { $0.element.0 != $0.element.1 }?.offset ?? 0
        let isHeight = lockTime < TimeLock.firstDate
        let type: PSBTInputType = isHeight ? .requiredHeightLockTime : .requiredTimeLockTime
        throw .conflict(PSBTFieldID(.input(index), type.rawValue))
    }
}

extension PSBT {
    /// Whether both describe one transaction; in version 2, sequence numbers may differ, because Updaters and Combiners may
    /// set them.
    ///
    /// Spec: BIP-370, "Unique Identification".
    private func isSameTransaction(as other: PSBT) -> Bool {
        guard version == .v2, other.version == .v2 else { return unsignedTransaction == other.unsignedTransaction }
        return unsignedTransaction.withoutSequences == other.unsignedTransaction.withoutSequences
    }

    /// This version 2 PSBT with the transaction that its records describe.
    /// - Parameter sources: the PSBTs that it was combined from.
    /// - Throws: `PSBTError.conflict` for the first sequence number that changes the transaction of a source with signatures.
    private func withSequences(combinedFrom sources: [PSBT]) throws(PSBTError) -> PSBT {
        let transaction = try Self.transaction(global: global, inputs: inputs, outputs: outputs)
        for source in sources where source.inputs.contains(where: \.hasSignatures) {
            let pairs = zip(transaction.inputs, source.unsignedTransaction.inputs)
            guard let changed = pairs.enumerated().first(where: { $0.element.0.sequence != $0.element.1.sequence })
            else { continue }
            throw .conflict(PSBTFieldID(.input(changed.offset), PSBTInputType.sequence.rawValue))
        }
        return PSBT(
            version: version, fileForm: fileForm, unsignedTransaction: transaction, global: global, inputs: inputs,
            outputs: outputs)
    }
}

extension Transaction {
    /// The transaction with all sequence numbers 0.
    fileprivate var withoutSequences: Transaction {
        var result = self
        for index in result.inputs.indices { result.inputs[index].sequence = 0 }
        return result
    }
}

extension PSBT.Input {
    /// Whether it has a signature, or part of one.
    fileprivate var hasSignatures: Bool {
        let types: [PSBTInputType] = [
            .partialSignature, .finalScriptSig, .finalScriptWitness, .tapKeySignature, .tapScriptSignature,
            .musig2PartialSignature,
        ]
        return map.records.contains { record in types.contains { $0.rawValue == record.type } }
    }

    fileprivate mutating func merge(_ other: Self, as id: PSBTMapID) throws(PSBTError) {
        try map.merge(other.map, as: id)
        let stays = map.value(PSBTInputType.nonWitnessUTXO.rawValue)
        if stays != nonWitnessUTXO?.bytes { nonWitnessUTXO = other.nonWitnessUTXO }
    }
}

extension PSBTMap {
    /// Takes over the other map's records. Linear, apart from sorting.
    fileprivate mutating func merge(_ other: PSBTMap, as id: PSBTMapID) throws(PSBTError) {
        guard records != other.records else { return }
        var places = records.placesByKey[...]
        var added: [PSBTRecord] = []
        for record in other.records.placesByKey.lazy.map({ other.records[$0] }) {
            while let place = places.first, records[place].precedes(record) { places.removeFirst() }
            guard let place = places.first, records[place].hasSameKey(as: record) else {
                added.append(record)
                continue
            }
            guard records[place].value != record.value else { continue }
            guard allowsDifferentValues(record.type) else { throw .conflict(PSBTFieldID(id, record.type)) }
            if record.value.lexicographicallyPrecedes(records[place].value) { replaceRecord(at: place, with: record) }
        }
        insert(added)
    }

    /// Whether two values of one key are compatible.
    private func allowsDifferentValues(_ type: UInt64) -> Bool {
        switch scope {
        case .global: PSBTGlobalType(rawValue: type).map { $0 == .proprietary || $0 == .fallbackLockTime } ?? true
        case .output: PSBTOutputType(rawValue: type).map { $0 == .proprietary } ?? true
        case .input:
            switch PSBTInputType(rawValue: type) {
            case .nonWitnessUTXO, .partialSignature, .finalScriptSig, .finalScriptWitness, .tapKeySignature,
                .tapScriptSignature, .proprietary, nil:
                true
            default: false
            }
        }
    }
}
