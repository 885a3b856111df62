import Bitcoin
import ByteCodec
import Foundation
import TestSupport
import Testing

@Suite struct LegacySighashTests {
    /// Bitcoin Core's `sighash.json`: transaction, script, input, type, digest.
    @Test func digestsAreThoseOfBitcoinCore() throws {
        let file = LedgeredFile.coreSighashes
        var ledger = try VectorLedger(file)
        for (number, row) in try Vectors.arrays(file.path) {
            let texts = [row[0], row[1], row[4]].compactMap { $0 as? String }
            let numbers = [row[2], row[3]].compactMap { ($0 as? NSNumber)?.intValue }
            try #require(texts.count == 3 && numbers.count == 2)
            let cache = SighashCache(try Transaction(serialized: try Hex.decode(texts[0])))
            let digest = try cache.legacyDigest(
                input: numbers[0], scriptCode: Script(try Hex.decode(texts[1])),
                type: SighashType(rawValue: UInt32(truncatingIfNeeded: numbers[1])))
            ledger.enter("\(number)", Hex.encode(Array(digest.bytes.reversed())), expected: texts[2])
        }
        ledger.close(count: 500)
    }

    @Test func singleWithoutItsOutputIsTheNumberOne() throws {
        let digest = try SighashCache(Self.transaction(inputs: 2, outputs: 1))
            .legacyDigest(input: 1, scriptCode: Script(), type: .single)
        #expect(digest.bytes == [1] + [UInt8](repeating: 0, count: 31))
    }

    @Test func pushedAndTruncatedBytesAreNoCodeSeparators() throws {
        let cache = SighashCache(Self.transaction(inputs: 1, outputs: 1))
        func digest(_ script: [UInt8]) throws -> Digest {
            try cache.legacyDigest(input: 0, scriptCode: Script(script), type: .all)
        }
        #expect(try digest([0xAB, 0x51, 0xAB]) == digest([0x51]))
        #expect(try digest([0x01, 0xAB, 0xAB]) == digest([0x01, 0xAB]))
        #expect(try digest([0x01, 0xAB]) != digest([0x01]))
        #expect(try digest([0xAB, 0x05, 0xAB]) == digest([0x05, 0xAB]))
    }

    @Test(arguments: [-1, 2, Int.max])
    func aMissingInputIsAnError(input: Int) {
        let cache = SighashCache(Self.transaction(inputs: 2, outputs: 1))
        #expect(throws: SighashCache.Failure.noSuchInput(input)) {
            try cache.legacyDigest(input: input, scriptCode: Script(), type: .all)
        }
        #expect(throws: SighashCache.Failure.noSuchInput(input)) {
            try cache.segwitV0Digest(input: input, scriptCode: Script(), amount: .zero, type: .all)
        }
    }

    @Test func onlyTheCoveredPartsMatter() throws {
        let original = Self.transaction(inputs: 3, outputs: 3)
        func digest(_ transaction: Transaction, _ type: SighashType) throws -> Digest {
            try SighashCache(transaction).legacyDigest(input: 1, scriptCode: Script([0x51]), type: type)
        }
        func isSame(_ type: SighashType, after change: (inout Transaction) -> Void) throws -> Bool {
            var changed = original
            change(&changed)
            return try digest(original, type) == digest(changed, type)
        }
        for type in [SighashType.all, .none, .single] {
            #expect(try isSame(type) { $0.inputs[0].scriptSig = Script([0x52]) })
            #expect(try !isSame(type) { $0.inputs[1].sequence = 7 })
            #expect(try isSame(type) { $0.inputs[0].sequence = 7 } == (type != .all))
            #expect(try isSame(type) { $0.outputs[0].value += 1 } == (type != .all))
            #expect(try isSame(type) { $0.outputs[1].value += 1 } == (type == .none))
            #expect(try !isSame(type) { $0.inputs.removeLast() })
            #expect(try isSame(type.withAnyoneCanPay) { $0.inputs.removeLast() })
        }
    }

    static func transaction(inputs: Int, outputs: Int) -> Transaction {
        Transaction(
            inputs: (0..<inputs).map {
                TransactionInput(
                    outpoint: Outpoint(
                        transactionID: Transaction(inputs: [], outputs: []).id, index: UInt32($0)))
            },
            outputs: (0..<outputs).map { TransactionOutput(value: Int64($0), scriptPubKey: Script([0x51])) })
    }
}
