import Bitcoin
import ByteCodec
import TestSupport
import Testing

@Suite struct SegwitSighashTests {
    private static let rows = Result { try Vectors.load("bips/bip143.json") }

    @Test func everyRowIsHere() throws {
        #expect(try Self.rows.get().countsByKind == ["sighash": 14, "swapped_pairs": 1])
    }

    @Test func digestsAreThoseOfBIP143() throws {
        for row in try Self.rows.get() where row.kind == "sighash" {
            let transaction = try Transaction(serialized: try row.bytes("unsigned_tx"))
            let digest = try SighashCache(transaction).segwitV0Digest(
                input: try row.number("input_index"), scriptCode: Script(try row.bytes("script_code")),
                amount: try #require(Amount(satoshis: try row.number("amount"))),
                type: SighashType(rawValue: UInt32(try row.number("sighash_type"))))
            #expect(digest == (try row.bytes("sighash")), "\(row.testDescription)")
        }
    }
}
