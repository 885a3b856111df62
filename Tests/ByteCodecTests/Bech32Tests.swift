import ByteCodec
import TestSupport
import Testing

@Suite struct Bech32Tests {
    @Test func everyRowIsHere() throws {
        let rows = try Vectors.load("bips/bech32.json")
        #expect(
            rows.countsByKind == ["string": 14, "string_invalid": 26, "address": 18, "address_invalid": 25])
    }

    @Test func readsAndWritesTheValidStrings() throws {
        for row in try Vectors.load("bips/bech32.json", kinds: ["string"]) {
            let text = try row.text("string")
            let decoded = try Bech32.decode(text)
            #expect(decoded.humanReadablePart == (try row.text("hrp")), "\(row.testDescription)")
            #expect(decoded.values == (try row.bytes("data")), "\(row.testDescription)")
            #expect(decoded.variant == (try variant(row)), "\(row.testDescription)")
            let encoded = Bech32.encode(
                humanReadablePart: decoded.humanReadablePart, values: decoded.values, variant: decoded.variant)
            #expect(encoded == text.lowercased(), "\(row.testDescription)")
        }
    }

    @Test func refusesTheInvalidStrings() throws {
        for row in try Vectors.load("bips/bech32.json", kinds: ["string_invalid"]) {
            let decoded = try? Bech32.decode(try row.text("string"))
            // Some are valid in the other variant only.
            let wrong = decoded.map { (try? variant(row)) == $0.variant } ?? false
            #expect(!wrong, "\(row.testDescription)")
        }
    }

    @Test(arguments: [
        ("a12uel5", Bech32.DecodingError.length(7)),
        ("A12uEL5L", .mixedCase),
        ("a12uel5m", .checksum),
        ("pzry9x0s0muk", .separator),
        ("1pzry9x0s0muk", .separator),
        ("li1dgmt3", .separator),
        ("x1b4n0q5v", .character(offset: 2)),
        (" 1nwldj5", .character(offset: 0)),
    ])
    func namesWhatIsWrong(text: String, error: Bech32.DecodingError) {
        #expect(throws: error) { try Bech32.decode(text) }
    }

    @Test func regroupsBits() throws {
        #expect(Bech32.fiveBitValues(of: [0xFF]) == [31, 28])
        #expect(try Bech32.bytes(fromFiveBitValues: [31, 28]) == [0xFF])
        #expect(throws: Bech32.DecodingError.padding) { try Bech32.bytes(fromFiveBitValues: [31, 29]) }
        #expect(throws: Bech32.DecodingError.padding) { try Bech32.bytes(fromFiveBitValues: [31, 28, 0]) }
        #expect(throws: Bech32.DecodingError.padding) { try Bech32.bytes(fromFiveBitValues: [0]) }
    }

    private func variant(_ row: VectorRow) throws -> Bech32.Variant {
        try row.text("encoding") == "bech32m" ? .bech32m : .bech32
    }
}
