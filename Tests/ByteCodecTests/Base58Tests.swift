import ByteCodec
import TestSupport
import Testing

@Suite struct Base58Tests {
    @Test func everyRowIsHere() throws {
        let rows = try Vectors.load("bitcoin-core/base58.json")
        #expect(rows.countsByKind == ["encode": 24, "invalid": 18, "check": 6, "check_invalid": 10])
    }

    @Test func encodesAndDecodesAsBitcoinCore() throws {
        for row in try Vectors.load("bitcoin-core/base58.json", kinds: ["encode"]) {
            #expect(Base58.encode(try row.bytes("hex")) == (try row.text("base58")), "\(row.testDescription)")
            #expect(
                try Base58.decode(try row.text("base58"), limit: 1000) == row.bytes("hex"), "\(row.testDescription)")
        }
    }

    @Test func refusesCharactersOutsideTheAlphabet() throws {
        for row in try Vectors.load("bitcoin-core/base58.json", kinds: ["invalid"]) {
            let error = #expect(throws: Base58.DecodingError.self, "\(row.testDescription)") {
                try Base58.decode(try row.text("base58"))
            }
            guard case .notADigit = error else {
                Issue.record("\(row.testDescription): \(String(describing: error))")
                continue
            }
        }
    }

    @Test func boundsTheLength() throws {
        #expect(try Base58.decode(String(repeating: "z", count: 256)).count == 188)
        #expect(throws: Base58.DecodingError.tooLong(limit: 256)) {
            try Base58.decode(String(repeating: "z", count: 257))
        }
        #expect(throws: Base58.DecodingError.tooLong(limit: 3)) { try Base58.decode("2222", limit: 3) }
    }
}
