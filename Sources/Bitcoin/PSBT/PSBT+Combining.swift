extension PSBT {
    /// The records of both PSBTs, each key once. The form of the file is this one's.
    ///
    /// When both have a key with different values:
    /// - signatures, final scripts, witnesses and previous transactions can both be right (a key can sign twice, and a
    ///   transaction be written with and without witnesses), and what unknown and proprietary fields mean nobody
    ///   here knows: the value whose bytes come first stays, so that the order of combining makes no difference;
    /// - all other values contradict each other, and the PSBTs are refused.
    ///
    /// Combining with itself changes nothing. Records that come from the other PSBT are put where Bitcoin Core would
    /// write them.
    /// - Throws: `PSBTError.otherTransaction` when the PSBTs are about different ones; `.conflict`; `.tooManyRecords`.
    ///
    /// Spec: BIP-174, "Combiner".
    public func combined(with other: PSBT) throws(PSBTError) -> PSBT {
        guard unsignedTransaction == other.unsignedTransaction else {
            throw .otherTransaction(other.unsignedTransaction.id)
        }
        var result = self
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
        return result
    }

    private var recordCount: Int {
        global.records.count + inputs.reduce(0) { $0 + $1.map.records.count }
            + outputs.reduce(0) { $0 + $1.map.records.count }
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
        case .global: PSBTGlobalType(rawValue: type).map { $0 == .proprietary } ?? true
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
