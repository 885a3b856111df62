import Bitcoin
import ByteCodec
import TestSupport
import Testing

@Suite struct PSBTConvertingTests {
    @Test func rowsConvertToVersion0() throws {
        for row in try PSBTVectors.version2Rows("convert") {
            let psbt = try PSBT(serialized: try row.bytes("psbt_v2"))
            let converted = try psbt.converted(to: .v0)
            #expect(converted.version == .v0)
            #expect(converted.serialized() == (try row.bytes("psbt_v0")), "\(row.testDescription)")
            #expect(converted.unsignedTransaction.serialized() == (try row.bytes("unsigned_tx")))
            #expect(psbt.unsignedTransaction.serialized() == (try row.bytes("unsigned_tx")))
            #expect(psbt.unsignedTransaction.id.description == (try row.text("txid")))
        }
    }

    @Test func rowsConvertToVersion2() throws {
        var inOrder = 0
        for row in try PSBTVectors.version2Rows("convert_to_v2") {
            let psbt = try PSBT(serialized: try row.bytes("psbt_v0"))
            let expected = try PSBT(serialized: try row.bytes("psbt_v2"))
            let converted = try psbt.converted(to: .v2)
            #expect(converted.version == .v2)
            #expect(converted.contents == expected.contents, "\(row.testDescription)")
            #expect(converted.unsignedTransaction == expected.unsignedTransaction)
            #expect(converted.modifiableFlags == nil)
            // Some rows have extended keys or fields that nobody knows in other places, or signatures by their keys.
            let maps = [expected.global] + expected.inputs.map(\.map) + expected.outputs.map(\.map)
            let isInOrder = maps.allSatisfy { map in
                let types = map.records.map(\.type)
                return types == types.sorted()
            }
            if isInOrder, expected.inputs.allSatisfy({ $0.partialSignatures.count < 2 }) {
                inOrder += 1
                #expect(converted.serialized() == expected.serialized(), "\(row.testDescription)")
            }
            #expect(try PSBT(serialized: converted.serialized()).unsignedTransaction == psbt.unsignedTransaction)
            #expect(try converted.converted(to: .v0).contents == psbt.withoutVersion.contents)
        }
        #expect(inOrder == 17)
    }

    @Test func theSameVersionStaysAsItIs() throws {
        for bytes in try PSBTVectors.allValid() {
            let psbt = try PSBT(serialized: bytes)
            #expect(try psbt.converted(to: psbt.version).serialized() == bytes)
        }
    }

    /// There and back again nothing is lost but a version that is said without need.
    @Test func everyVersion0ComesBackFromVersion2() throws {
        for psbt in try PSBTVectors.allValid().map({ try PSBT(serialized: $0) }) where psbt.version == .v0 {
            guard psbt.unsignedTransaction.version >= 2 else {
                let version = Int32(bitPattern: psbt.unsignedTransaction.version)
                #expect(throws: PSBTError.field(.init(.global, 0x02), .transactionVersion(version))) {
                    try psbt.converted(to: .v2)
                }
                continue
            }
            let version2 = try psbt.converted(to: .v2)
            #expect(try PSBT(serialized: version2.serialized()).unsignedTransaction == psbt.unsignedTransaction)
            #expect(try version2.converted(to: .v0).contents == psbt.withoutVersion.contents)
        }
    }

    @Test func randomOnesComeBackByteForByte() throws {
        var generator = SeededGenerator()
        for _ in 0..<300 {
            let psbt = try Self.random(using: &generator)
            let version2 = try psbt.converted(to: .v2)
            let read = try PSBT(serialized: version2.serialized())
            #expect(read.unsignedTransaction == psbt.unsignedTransaction)
            #expect(read.inputs.map(\.nonWitnessUTXO) == psbt.inputs.map(\.nonWitnessUTXO))
            #expect(try read.converted(to: .v0).serialized() == psbt.serialized())
            #expect(try read.converted(to: .v0).converted(to: .v2).serialized() == version2.serialized())
        }
    }

    /// A PSBT with some inputs, signatures, outputs, unknown and private fields, as Bitcoin Core would write it.
    static func random(using generator: inout SeededGenerator) throws -> PSBT {
        let forms = try (0..<Int.random(in: 1...5, using: &generator)).map { _ in
            try #require(SpendingForm.allCases.randomElement(using: &generator))
        }
        let described = try SpendingForm.unsignedPSBT(forms)
        var transaction = described.unsignedTransaction
        transaction.version = UInt32.random(in: 2...0x7FFF_FFFF, using: &generator)
        transaction.lockTime = UInt32(truncatingIfNeeded: generator.next())
        for index in transaction.inputs.indices {
            transaction.inputs[index].sequence = UInt32(truncatingIfNeeded: generator.next())
        }
        for _ in 0..<Int.random(in: 0...3, using: &generator) {
            transaction.outputs.append(
                TransactionOutput(
                    value: Int64(bitPattern: generator.next()), scriptPubKey: Script(generator.bytes(0...300))))
        }
        var psbt = try PSBT(unsignedTransaction: transaction)
        psbt.setInputs(described.inputs)
        for (index, form) in forms.enumerated() where Bool.random(using: &generator) {
            for key in try form.keys() { try psbt.sign(index, as: form, with: key) }
            if Bool.random(using: &generator) { try psbt.finalize(input: index) }
        }
        for type: UInt64 in [0x42, 0x99, 0x1_0000] where Bool.random(using: &generator) {
            try psbt.addToLastOutput(type, generator.bytes(0...20))
        }
        return psbt
    }

    @Test func theLockTimeIsTheOneThatInputsNeed() throws {
        let sample = Version2Sample(fallback: 7, demands: [(100, 600_000_000), (nil, 700_000_000), (nil, nil)])
        let psbt = try sample.psbt()
        let version0 = try psbt.converted(to: .v0)
        #expect(version0.unsignedTransaction.lockTime == 700_000_000)
        #expect(version0.unsignedTransaction == psbt.unsignedTransaction)
        let again = try version0.converted(to: .v2)
        #expect(again.unsignedTransaction == psbt.unsignedTransaction)
        #expect(again.inputs.allSatisfy { $0.requiredTimeLockTime == nil && $0.requiredHeightLockTime == nil })
    }

    @Test(arguments: [0, 1, 0x8000_0002, .max] as [UInt32])
    func transactionsThatVersion2CannotHoldAreRefused(version: UInt32) throws {
        var transaction = FaultyRecord.transaction
        transaction.version = version
        let psbt = try PSBT(unsignedTransaction: transaction)
        #expect(throws: PSBTError.field(.init(.global, 0x02), .transactionVersion(Int32(bitPattern: version)))) {
            try psbt.converted(to: .v2)
        }
    }

    @Test func theNumberOfRecordsStaysBounded() throws {
        let count = PSBT.maximumRecordCount - 2
        var records: [UInt8] = []
        for number in 0..<count {
            records += [4, 0x99, UInt8(number >> 16), UInt8(number >> 8 & 0xFF), UInt8(number & 0xFF), 0]
        }
        let psbt = try PSBT(serialized: FaultyRecord.psbt(output: records))
        #expect(throws: PSBTError.tooManyRecords(limit: PSBT.maximumRecordCount)) { try psbt.converted(to: .v2) }
    }

    @Test(arguments: PSBT.FileForm.allCases) func theFormOfTheFileStays(form: PSBT.FileForm) throws {
        let psbt = try PSBT(fileContent: try PSBTVectors.psbt("combiner").encoded(as: form))
        #expect(try psbt.converted(to: .v2).fileForm == form)
    }
}

extension PSBT {
    /// The same without the record of version 0, which says nothing.
    fileprivate var withoutVersion: PSBT {
        get throws {
            let record: [UInt8] = [1, 0xFB, 4, 0, 0, 0, 0]
            let bytes = serialized()
            guard let range = bytes.firstRange(of: record), global.value(0xFB) != nil else { return self }
            return try PSBT(serialized: Array(bytes[..<range.lowerBound]) + Array(bytes[range.upperBound...]))
        }
    }

    /// Puts a record that nobody knows behind all others.
    fileprivate mutating func addToLastOutput(_ type: UInt64, _ value: [UInt8]) throws {
        var key: [UInt8] = []
        key.appendCompactSize(type)
        var bytes = Array(serialized().dropLast())
        bytes.appendSized(key)
        bytes.appendSized(value)
        self = try PSBT(serialized: bytes + [0])
    }
}
