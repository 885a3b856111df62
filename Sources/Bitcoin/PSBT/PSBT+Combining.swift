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
    /// From a PSBT of another version come the records that this one's can hold; those that make the transaction are the
    /// same in both.
    ///
    /// Combining with itself changes nothing. Records that come from the other PSBT are put where Bitcoin Core would
    /// write them.
    /// - Throws: `PSBTError.otherTransaction` when the PSBTs are about different ones; `.conflict`, also for lock
    ///   times that only together would change the transaction; `.tooManyRecords`.
    ///
    /// Spec: BIP-174, "Combiner"; BIP-370.
    public func combined(with other: PSBT) throws(PSBTError) -> PSBT {
        guard unsignedTransaction == other.unsignedTransaction else {
            throw .otherTransaction(other.unsignedTransaction.id)
        }
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
        return result
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

extension PSBT.Input {
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
