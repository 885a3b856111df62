import Bitcoin
import ByteCodec
import Testing

@Suite struct PSBTLimitTests {
    @Test func everyTruncationIsRefused() throws {
        let bytes = try PSBTVectors.row("combiner").psbtBytes()
        for count in 0..<bytes.count {
            #expect(throws: PSBTError.self, "\(count) bytes") { try PSBT(serialized: Array(bytes.prefix(count))) }
        }
    }

    @Test func trailingBytesAreRefused() throws {
        #expect(throws: PSBTError.trailingBytes(count: 2)) {
            try PSBT(serialized: try PSBTVectors.row("combiner").psbtBytes() + [0, 0])
        }
    }

    @Test func compactSizesMustBeShortest() {
        let keyLength = FaultyRecord.psbt(input: [0xFD, 1, 0, 0x99, 0])
        let type = FaultyRecord.psbt(input: [3, 0xFD, 0x99, 0, 0])
        let valueLength = FaultyRecord.psbt(input: [1, 0x99, 0xFD, 1, 0, 0])
        let start = FaultyRecord.psbt().count - 2
        for (bytes, offset) in [(keyLength, start), (type, start + 1), (valueLength, start + 2)] {
            #expect(throws: PSBTError.malformed(.input(0), .compactSizeNotShortest(offset: offset))) {
                try PSBT(serialized: bytes)
            }
        }
    }

    @Test func aTypeMustFitInItsKey() {
        let bytes = FaultyRecord.psbt(input: [1, 0xFD, 0x99, 0x99, 0])
        #expect(throws: PSBTError.malformed(.input(0), .truncated(offset: FaultyRecord.psbt().count - 1, needed: 3))) {
            try PSBT(serialized: bytes)
        }
    }

    @Test func lengthsBeyondTheFileAreRefused() {
        let bytes = FaultyRecord.psbt(input: [1, 0x99, 0xFF] + [UInt8](repeating: 0xFF, count: 8))
        #expect(
            throws: PSBTError.malformed(
                .input(0), .truncated(offset: FaultyRecord.psbt().count - 2 + 11, needed: .max))
        ) { try PSBT(serialized: bytes) }
    }

    @Test func theSizeIsBounded() {
        let tooLarge = [UInt8](repeating: 0, count: PSBT.maximumSize + 1)
        #expect(throws: PSBTError.tooLarge(limit: 64 << 20)) { try PSBT(serialized: tooLarge) }
        let tooLargeFile = [UInt8](repeating: 0x20, count: PSBT.maximumFileSize + 1)
        #expect(throws: PSBTError.tooLarge(limit: 132 << 20)) { try PSBT(fileContent: tooLargeFile) }
    }

    @Test func theNumberOfRecordsIsBounded() throws {
        func psbt(unknownRecords count: Int, from first: Int = 0) -> [UInt8] {
            var records: [UInt8] = []
            for number in first..<first + count {
                records += [4, 0x99, UInt8(number >> 16), UInt8(number >> 8 & 0xFF), UInt8(number & 0xFF), 0]
            }
            return FaultyRecord.psbt(output: records)
        }
        let most = PSBT.maximumRecordCount - 1
        #expect(try PSBT(serialized: psbt(unknownRecords: most)).outputs[0].map.records.count == most)
        #expect(throws: PSBTError.tooManyRecords(limit: PSBT.maximumRecordCount)) {
            try PSBT(serialized: psbt(unknownRecords: most + 1))
        }
        let half = PSBT.maximumRecordCount / 2
        let one = try PSBT(serialized: psbt(unknownRecords: half))
        #expect(
            try one.combined(with: PSBT(serialized: psbt(unknownRecords: half, from: 1))).outputs[0].map.records.count
                == half + 1)
        #expect(throws: PSBTError.tooManyRecords(limit: PSBT.maximumRecordCount)) {
            try one.combined(with: PSBT(serialized: psbt(unknownRecords: half, from: half)))
        }
    }

    @Test func theTransactionIsBounded() throws {
        func transaction(scriptLength: Int) -> Transaction {
            var transaction = FaultyRecord.transaction
            transaction.outputs[0].scriptPubKey = Script([UInt8](repeating: 0x51, count: scriptLength))
            return transaction
        }
        let overhead = transaction(scriptLength: 0x1_0000).serialized().count - 0x1_0000
        let largest = transaction(scriptLength: PSBT.maximumTransactionSize - overhead)
        let psbt = try PSBT(unsignedTransaction: largest)
        #expect(try PSBT(serialized: psbt.serialized()).unsignedTransaction == largest)

        let tooLarge = transaction(scriptLength: PSBT.maximumTransactionSize - overhead + 1)
        let error = PSBTError.field(.init(.global, 0), .transactionTooLarge(limit: 1_000_000))
        #expect(throws: error) { try PSBT(unsignedTransaction: tooLarge) }
        var bytes = Array(psbt.serialized().prefix(7))
        bytes.appendSized(tooLarge.serialized())
        #expect(throws: error) { try PSBT(serialized: bytes + [0, 0, 0]) }
    }
}
