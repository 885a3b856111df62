extension PSBT {
    /// The records of both PSBTs, each key once. The version and the form of the file are this one's.
    ///
    /// When both have a key with different values:
    /// - signatures, final scripts, witnesses and previous transactions can both be right (a key can sign twice, and a
    ///   transaction be written with and without witnesses), and what unknown and proprietary fields mean nobody
    ///   here knows: the value whose bytes come first stays, so that the order of combining makes no difference;
    /// - fallback lock times can differ where inputs need one, and then mean nothing: again the first stays;
    /// - of the modifiable flags, which version 2 has, stay the permissions that both give, and all others; version 0 gives
    ///   none;
    /// - all other values contradict each other, and the PSBTs are refused.
    ///
    /// PSBTs of version 2 are about the same transaction when they differ in nothing of it but sequence numbers: one that
    /// only one of them says is taken over. Signatures are not: no PSBT with one is combined with another that changes the
    /// transaction that was signed.
    ///
    /// From a PSBT of another version come the records that this one's can hold; those that make the transaction are the
    /// same in both.
    ///
    /// Combining with itself changes nothing. Records that come from the other PSBT are put where Bitcoin Core would
    /// write them.
    /// - Throws: `PSBTError.otherTransaction` when the PSBTs are about different ones; `.conflict`, also for lock
    ///   times that only together would change the transaction, and for sequence numbers that would change a signed one;
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

    /// Confirms that the lock times of two PSBTs together make the lock time that each made.
    private func checkLockTimes(combinedFrom one: PSBT) throws(PSBTError) {
        let demands = inputs.map { LockTimeDemand($0.map) }
        let lockTime = try LockTimeDemand.lockTime(of: demands, fallback: unsignedTransaction.lockTime)
        guard lockTime != unsignedTransaction.lockTime else { return }
        let earlier = one.inputs.map { LockTimeDemand($0.map) }
        let index = zip(demands, earlier).enumerated().first { $0.element.0 != $0.element.1 }?.offset ?? 0
        let isHeight = lockTime < LockTimeDemand.firstTime
        let type: PSBTInputType = isHeight ? .requiredHeightLockTime : .requiredTimeLockTime
        throw .conflict(PSBTFieldID(.input(index), type.rawValue))
    }
}

extension PSBT {
    /// Whether both are about one transaction: in version 2 whatever the sequence numbers are, as Updaters and Combiners
    /// may set them.
    ///
    /// Spec: BIP-370, "Unique Identification".
    private func isSameTransaction(as other: PSBT) -> Bool {
        guard version == .v2, other.version == .v2 else { return unsignedTransaction == other.unsignedTransaction }
        return unsignedTransaction.withoutSequences == other.unsignedTransaction.withoutSequences
    }

    /// This PSBT of version 2 with the transaction that its records make.
    /// - Parameter sources: what it was combined from.
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
    /// Whether somebody signed it, or a part of a signature is there.
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
    /// Takes over the other map's records. Linear but for sorting.
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

    /// Whether two values of one key do not contradict each other.
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
