import ByteCodec

extension PSBTFieldFormat {
    /// Checks a record against this format. Values of `.transaction` are checked by their readers.
    func check(_ record: PSBTRecord, version: PSBT.Version) throws(PSBTFieldFault) {
        guard versions.contains(version) else { throw .notInVersion(version) }
        try checkKey(record.keyData)
        do throws(ByteReader.ReadingError) {
            try checkStructure(of: record.value)
        } catch { throw .value(error) }
        try checkContents(of: record)
    }

    private func checkKey(_ keyData: ArraySlice<UInt8>) throws(PSBTFieldFault) {
        let count = keyData.count
        let hasRightLength =
            switch key {
            case .none: keyData.isEmpty
            case .length(let length): count == length
            case .publicKey: count == 33 || count == 65
            case .compressedPublicKey: count == PublicKey.length
            case .xOnlyKey(let tail): count == 32 + tail
            case .extendedPublicKey: count == ExtendedKeyFields.serializationLength
            case .controlBlock: count >= 33 && (count - 33).isMultiple(of: 32) && (count - 33) / 32 <= 128
            case .musig2Participant: count == 66 || count == 98
            case .proprietary: true
            }
        guard hasRightLength else { throw .keyDataLength(count) }
        switch key {
        case .publicKey, .compressedPublicKey: try Self.checkPoint(keyData)
        case .xOnlyKey: try Self.checkXOnlyKey(keyData.prefix(32))
        case .controlBlock: try Self.checkXOnlyKey(keyData.dropFirst().prefix(32))
        case .musig2Participant:
            try Self.checkPoint(keyData.prefix(PublicKey.length))
            try Self.checkPoint(keyData.dropFirst(PublicKey.length).prefix(PublicKey.length))
        case .extendedPublicKey:
            try Self.checkPoint(keyData.dropFirst(ExtendedKeyFields.keyRange.lowerBound))
        case .proprietary:
            var reader = ByteReader(keyData)
            do {
                _ = try reader.sizedSlice()
                _ = try reader.compactSize()
            } catch { throw .keyData(error) }
        case .none, .length: break
        }
    }

    private static func checkPoint(_ bytes: ArraySlice<UInt8>) throws(PSBTFieldFault) {
        guard PublicKey.isValidEncoding(Array(bytes)) else { throw .invalidPublicKey }
    }

    private static func checkXOnlyKey(_ bytes: ArraySlice<UInt8>) throws(PSBTFieldFault) {
        guard PublicKey.isValidEncoding([2] + bytes) else { throw .invalidPublicKey }
    }

    /// Checks that a value with parts has all of them and nothing after them.
    private func checkStructure(of value: ArraySlice<UInt8>) throws(ByteReader.ReadingError) {
        var reader = ByteReader(value)
        switch self.value {
        case .compactSize: _ = try reader.compactSize()
        case .transactionOutput: _ = try TransactionOutput(from: &reader)
        case .witnessStack:
            for _ in 0..<(try reader.compactSize()) { _ = try reader.sizedSlice() }
        default: return
        }
        try reader.expectEnd()
    }

    private func checkContents(of record: PSBTRecord) throws(PSBTFieldFault) {
        let value = record.value
        switch self.value {
        case .notEmpty:
            guard !value.isEmpty else { throw .valueLength(0) }
        case .length(let length):
            guard value.count == length else { throw .valueLength(value.count) }
        case .transactionVersion:
            let version = Int32(bitPattern: try Self.uint32(value))
            guard version >= PSBT.leastTransactionVersion else { throw .transactionVersion(version) }
        case .timeLockTime:
            let time = try Self.uint32(value)
            guard time >= TimeLock.firstDate else { throw .notALockTime(time) }
        case .heightLockTime:
            let height = try Self.uint32(value)
            guard 0 < height, height < TimeLock.firstDate else { throw .notALockTime(height) }
        case .signature:
            guard ECDSASignature(der: value.dropLast()) != nil else { throw .notASignature }
        case .schnorrSignature:
            guard value.count == 64 || value.count == 65 else { throw .valueLength(value.count) }
        case .keyOrigin:
            guard KeyOrigin(serialized: value) != nil else { throw .valueLength(value.count) }
        case .extendedKeyOrigin:
            guard let origin = KeyOrigin(serialized: value) else { throw .valueLength(value.count) }
            let depth = Int(record.keyData.dropFirst(4).first ?? 0)
            guard origin.path.steps.count == depth else { throw .depth(depth, pathLength: origin.path.steps.count) }
        case .tapKeyOrigin:
            guard TaprootKeyDerivation(record) != nil else { throw .valueLength(value.count) }
        case .tapTree:
            guard TapTree.isComplete(value) else { throw .incompleteTapTree }
        case .utf8:
            guard String(validating: value, as: UTF8.self) != nil else { throw .notUTF8 }
        case .preimage(let hash):
            guard hash.hash(value).elementsEqual(record.keyData) else { throw .wrongPreimage }
        case .publicKeyList:
            guard !value.isEmpty, value.count.isMultiple(of: PublicKey.length) else {
                throw .valueLength(value.count)
            }
            for start in stride(from: value.startIndex, to: value.endIndex, by: PublicKey.length) {
                try Self.checkPoint(value[start..<start + PublicKey.length])
            }
        case .xOnlyKey:
            guard value.count == 32 else { throw .valueLength(value.count) }
            try Self.checkXOnlyKey(value)
        case .anything, .compactSize, .transaction, .transactionOutput, .witnessStack: break
        }
    }

    private static func uint32(_ value: ArraySlice<UInt8>) throws(PSBTFieldFault) -> UInt32 {
        guard value.count == 4 else { throw .valueLength(value.count) }
        return UInt32(littleEndian: value)
    }
}
