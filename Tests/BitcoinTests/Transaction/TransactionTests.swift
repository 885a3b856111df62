import Bitcoin
import ByteCodec
import TestSupport
import Testing

@Suite struct TransactionTests {
    @Test func serializationsAndSizesAreThoseOfBIP143() throws {
        for row in try Vectors.load("bips/bip143.json") {
            let bytes = try row.bytes("signed_tx")
            let signed = try Transaction(serialized: bytes)
            #expect(signed.serialized() == bytes, "\(row.testDescription)")
            if row.kind == "swapped_pairs" {
                #expect(signed.id.description == (try row.text("txid")))
                continue
            }
            #expect(signed.id.description == (try row.text("signed_txid")), "\(row.testDescription)")
            #expect(Hex.encode(SHA256.doubleHash(bytes).reversed()) == (try row.text("signed_wtxid")))
            #expect(signed.weight == (try row.number("weight")), "\(row.testDescription)")
            #expect(signed.virtualSize == (try row.number("vsize")), "\(row.testDescription)")
            let unsigned = try Transaction(serialized: try row.bytes("unsigned_tx"))
            #expect(unsigned.id.description == (try row.text("unsigned_txid")), "\(row.testDescription)")
        }
    }

    @Test func withoutInputsOnlyTheOldFormIsMeant() throws {
        let bytes: [UInt8] = [2, 0, 0, 0, 0, 1, 5, 0, 0, 0, 0, 0, 0, 0, 1, 0x51, 0, 0, 0, 0]
        let transaction = try Transaction(serialized: bytes, allowsWitnesses: false)
        #expect(transaction.inputs.isEmpty && transaction.outputs.count == 1)
        #expect(transaction.serialized() == bytes)
        #expect(throws: Transaction.ParsingError.self) { try Transaction(serialized: bytes) }
        let empty: [UInt8] = [2, 0, 0, 0, 0, 0, 0, 0, 0, 0]
        #expect(try Transaction(serialized: empty).serialized() == empty)
    }

    @Test func whatIsWrongIsNamed() throws {
        let input = [UInt8](repeating: 1, count: 36) + [0, 0xFF, 0xFF, 0xFF, 0xFF]
        let output: [UInt8] = [5, 0, 0, 0, 0, 0, 0, 0, 0]
        let head: [UInt8] = [2, 0, 0, 0]
        let middle: [UInt8] = [1] + input + [1] + output
        let time: [UInt8] = [0, 0, 0, 0]
        func parsing(_ bytes: [UInt8]) throws(Transaction.ParsingError) { _ = try Transaction(serialized: bytes) }
        #expect(throws: Never.self) { try parsing(head + middle + time) }
        #expect(throws: Never.self) { try parsing(head + [0, 1] + middle + [1, 0] + time) }
        #expect(throws: Transaction.ParsingError.emptyWitnesses) { try parsing(head + [0, 1] + middle + [0] + time) }
        #expect(throws: Transaction.ParsingError.witnessFlag(2)) {
            try parsing(head + [0, 2] + middle + [1, 0] + time)
        }
        #expect(throws: Transaction.ParsingError.bytes(.trailingBytes(count: 1))) {
            try parsing(head + middle + time + [0])
        }
        #expect(throws: Transaction.ParsingError.bytes(.compactSizeNotShortest(offset: 4))) {
            try parsing(head + [0xFD, 1, 0] + middle.dropFirst() + time)
        }
        let whole = head + [0, 1] + middle + [1, 2, 7, 7] + time
        for count in 0..<whole.count {
            #expect(throws: Transaction.ParsingError.self) { try parsing(Array(whole.prefix(count))) }
        }
    }

    @Test(arguments: [[0xFF], [0, 1, 0xFF]] as [[UInt8]])
    func hugeCountsFailAtOnce(start: [UInt8]) {
        let bytes: [UInt8] =
            [2, 0, 0, 0] + start + [UInt8](repeating: 0xFF, count: 8) + [UInt8](repeating: 1, count: 100)
        #expect(throws: Transaction.ParsingError.self) { try Transaction(serialized: bytes) }
    }

    @Test func valuesOutsideTheMoneySupplyAreKept() throws {
        let output = TransactionOutput(value: -1, scriptPubKey: Script())
        let transaction = Transaction(inputs: [], outputs: [output])
        let read = try Transaction(serialized: transaction.serialized(), allowsWitnesses: false)
        #expect(read.outputs.first?.value == -1 && read.outputs.first?.amount == nil)
    }

    @Test func idsReadAsPeopleSeeThem() throws {
        let text = "b9ecf72df06b8f98f8b63748d1aded5ffc1a1186f8a302e63cf94f6250e29f4d"
        let id = try #require(TransactionID(parsing: text))
        #expect(id.description == text && id.bytes.first == 0x4D)
        #expect(Outpoint(transactionID: id, index: 7).description == text + ":7")
        #expect(TransactionID(parsing: text.dropLast()) == nil && TransactionID(parsing: text + "00") == nil)
        #expect(TransactionID([1, 2]) == nil)
    }
}
