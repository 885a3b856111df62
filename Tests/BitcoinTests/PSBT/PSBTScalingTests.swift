import Bitcoin
import ByteCodec
import TestSupport
import Testing

/// PSBTs are read in time that grows as they do, whatever they are made of.
@Suite struct PSBTScalingTests {
    private static let script = Script([0x00, 0x14] + [UInt8](repeating: 7, count: 20))

    /// A PSBT of so many inputs and outputs, each with a record.
    private static func psbt(inputs: Int, outputs: Int, version: PSBT.Version) throws -> PSBT {
        let inputs = try (0..<inputs).map { index in
            TransactionInput(
                outpoint: Outpoint(
                    transactionID: try #require(TransactionID([UInt8](repeating: 1, count: 32))), index: UInt32(index)))
        }
        let outputs = [TransactionOutput](repeating: .init(value: 1_000, scriptPubKey: script), count: outputs)
        var psbt = try PSBT(unsignedTransaction: Transaction(inputs: inputs, outputs: outputs))
        for index in psbt.inputs.indices { psbt[input: index].witnessUTXO = outputs.first }
        for index in psbt.outputs.indices { psbt[output: index].witnessScript = Script([0x51]) }
        return try psbt.converted(to: version)
    }

    private func expectLinear(
        _ what: String, from start: Int = 64, upTo most: Int = 1 << 17,
        sourceLocation: SourceLocation = #_sourceLocation, _ bytes: (Int) throws -> [UInt8]
    ) throws {
        try Scaling.expectLinear(what, from: start, upTo: most, sourceLocation: sourceLocation, input: bytes) { bytes in
            let psbt = try PSBT(fileContent: bytes)
            #expect(psbt.serialized().count <= bytes.count)
        }
    }

    @Test(arguments: [PSBT.Version.v0, .v2]) func inputsAndOutputs(_ version: PSBT.Version) throws {
        try expectLinear("inputs, \(version)", upTo: 16_000) {
            try Self.psbt(inputs: $0, outputs: 1, version: version).serialized()
        }
        try expectLinear("outputs, \(version)", upTo: 16_000) {
            try Self.psbt(inputs: 1, outputs: $0, version: version).serialized()
        }
        try expectLinear("inputs in Base64, \(version)", upTo: 16_000) {
            try Self.psbt(inputs: $0, outputs: 1, version: version).encoded(as: .base64)
        }
    }

    /// Counts that are announced and not there.
    @Test func announcements() throws {
        var head: [UInt8] = [0x70, 0x73, 0x62, 0x74, 0xFF, 1, 0x02, 4, 2, 0, 0, 0, 1, 0xFB, 4, 2, 0, 0, 0]
        head += [1, 0x04, 9, 0xFF] + [UInt8](repeating: 0xFF, count: 8) + [1, 0x05, 1, 0, 0]
        try Scaling.expectLinear("bytes behind an endless count") { size in
            head + [UInt8](repeating: 0, count: size)
        } work: { bytes in
            #expect(throws: PSBTError.self) { try PSBT(serialized: bytes) }
        }
    }

    // MARK: Records

    /// A PSBT whose maps have these records.
    private static func bytes(global: [UInt8] = [], input: [UInt8] = [], output: [UInt8] = []) throws -> [UInt8] {
        let psbt = try psbt(inputs: 1, outputs: 1, version: .v0)
        let transaction = psbt.unsignedTransaction.serialized(.withoutWitnesses)
        var bytes: [UInt8] = [0x70, 0x73, 0x62, 0x74, 0xFF, 1, 0]
        bytes.appendSized(transaction[...])
        for records in [global, input, output] {
            bytes += records
            bytes.append(0)
        }
        return bytes
    }

    /// Records of one type with different keys, in whichever order.
    private static func records(
        _ type: UInt8, _ size: Int, isAscending: Bool = false, value: [UInt8] = [1]
    ) -> [UInt8] {
        var bytes: [UInt8] = []
        for index in 0..<size {
            let number = UInt32(isAscending ? index : size - index)
            bytes += [5, type]
            bytes += withUnsafeBytes(of: number.bigEndian) { Array($0) }
            bytes.appendSized(value[...])
        }
        return bytes
    }

    @Test func unknownRecords() throws {
        for isAscending in [true, false] {
            try expectLinear("unknown records of the global map, ascending: \(isAscending)") {
                try Self.bytes(global: Self.records(0xF0, $0, isAscending: isAscending))
            }
            try expectLinear("unknown records of an input, ascending: \(isAscending)") {
                try Self.bytes(input: Self.records(0xF0, $0, isAscending: isAscending))
            }
            try expectLinear("unknown records of an output, ascending: \(isAscending)") {
                try Self.bytes(output: Self.records(0xF0, $0, isAscending: isAscending))
            }
        }
        try expectLinear("bytes of an unknown record") { size in
            var record: [UInt8] = [1, 0xF0]
            record.appendSized([UInt8](repeating: 1, count: size)[...])
            return try Self.bytes(global: record)
        }
    }

    @Test func derivations() throws {
        let keys = try (1...4_096).map { number in
            try PrivateKey(SecretBytes(SHA256.hash([UInt8(number >> 8), UInt8(number & 0xFF)]))).publicKey.bytes
        }
        for isInput in [true, false] {
            try expectLinear("derivations, of an input: \(isInput)", upTo: keys.count) { size in
                var records: [UInt8] = []
                for key in keys.prefix(size) {
                    records += [34, isInput ? 0x06 : 0x02]
                    records += key
                    records += [4, 1, 2, 3, 4]
                }
                return try isInput ? Self.bytes(input: records) : Self.bytes(output: records)
            }
        }
        try Scaling.expectLinear("steps of a derivation that are too many", from: 256) { size in
            var record: [UInt8] = [34, 0x06]
            record += keys[0]
            record.appendSized([UInt8](repeating: 1, count: 4 * size + 4)[...])
            return try Self.bytes(input: record)
        } work: { bytes in
            #expect(throws: PSBTError.self) { try PSBT(serialized: bytes) }
        }
        try expectLinear("leaf hashes of a key") { size in
            var value: [UInt8] = []
            value.appendCompactSize(size)
            value += [UInt8](repeating: 1, count: 32 * size + 4)
            var record: [UInt8] = [33, 0x16]
            record += keys[0].dropFirst()
            record.appendSized(value[...])
            return try Self.bytes(input: record)
        }
    }

    /// Leaves at two depths by turns, as a tree that is a vine has them, and all at one.
    @Test func trees() throws {
        try expectLinear("leaves of a tree", upTo: 1 << 16) { size in
            let count = 1 << (Int.bitWidth - 1 - size.leadingZeroBitCount)
            let depth = UInt8(count.trailingZeroBitCount)
            var record: [UInt8] = [1, 0x06]
            var tree: [UInt8] = []
            for _ in 0..<count { tree += [depth, 0xC0, 1, 0x51] }
            record.appendSized(tree[...])
            return try Self.bytes(output: record)
        }
    }

    @Test func witnesses() throws {
        try expectLinear("elements of a final witness") { size in
            var value: [UInt8] = []
            value.appendCompactSize(size)
            value += [UInt8](repeating: 0, count: size)
            var record: [UInt8] = [1, 0x08]
            record.appendSized(value[...])
            return try Self.bytes(input: record)
        }
    }

    /// What is combined was made by others, too.
    @Test func combining() throws {
        try Scaling.expectLinear("records that are combined", upTo: 1 << 17) { size in
            try (
                PSBT(serialized: Self.bytes(input: Self.records(0xF0, size))),
                PSBT(serialized: Self.bytes(input: Self.records(0xF1, size)))
            )
        } work: { one, other in
            let combined = try one.combined(with: other)
            #expect(combined.inputs.count == 1)
        }
    }

    /// What is no PSBT at all is found out as fast.
    @Test func otherFiles() throws {
        for piece in ["ab", "Zz9+", "\n", " {}", "é"] {
            try Scaling.expectLinear("bytes of another file: \(piece.debugDescription)") { size in
                [UInt8](String(repeating: piece, count: size).utf8)
            } work: { bytes in
                #expect(throws: PSBTError.self) { try PSBT(fileContent: bytes) }
            }
        }
    }
}
