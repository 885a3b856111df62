import Bitcoin
import ByteCodec
import TestSupport
import Testing

@Suite struct Base58CheckTests {
    @Test func payloadsGoBothWays() throws {
        let rows = try Vectors.load("bitcoin-core/base58.json", kinds: ["check"])
        #expect(rows.count == 6)
        for row in rows {
            #expect(Base58Check.encode(try row.bytes("payload")) == (try row.text("base58check")))
            #expect(try Base58Check.decode(row.text("base58check")) == row.bytes("payload"))
        }
    }

    @Test func wrongChecksumsAndShortTextsAreRefused() throws {
        let rows = try Vectors.load("bitcoin-core/base58.json", kinds: ["check_invalid"])
        #expect(rows.count == 10)
        for row in rows {
            let error: Base58Check.DecodingError = try row.text("reason") == "checksum" ? .checksum : .tooShort
            #expect(throws: error, "\(row.testDescription)") { try Base58Check.decode(try row.text("base58check")) }
        }
        #expect(throws: Base58Check.DecodingError.notBase58(.notADigit(offset: 1))) { try Base58Check.decode("10") }
    }
}
