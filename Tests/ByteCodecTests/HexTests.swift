import ByteCodec
import Testing

@Suite struct HexTests {
    @Test func encodesLowerCaseAndDecodesBothCases() throws {
        #expect(Hex.encode([0x00, 0xAB, 0xFF]) == "00abff")
        #expect(try Hex.decode("00ABff") == [0x00, 0xAB, 0xFF])
        #expect(try Hex.decode("") == [])
    }

    @Test func namesWhatIsWrong() {
        #expect(throws: Hex.DecodingError.oddLength(3)) { try Hex.decode("abc") }
        #expect(throws: Hex.DecodingError.notADigit(offset: 2)) { try Hex.decode("abg0") }
        #expect(throws: Hex.DecodingError.notADigit(offset: 1)) { try Hex.decode("0x10") }
        // One character, two bytes of UTF-8.
        #expect(throws: Hex.DecodingError.notADigit(offset: 0)) { try Hex.decode("é") }
    }

    @Test func skipsWhitespaceWhenAsked() throws {
        #expect(try Hex.decode(utf8: Array(" 0\r\n0a B\tff\n".utf8), skippingWhitespace: true) == [0x00, 0xAB, 0xFF])
        #expect(throws: Hex.DecodingError.notADigit(offset: 0)) { try Hex.decode(" 00") }
        #expect(throws: Hex.DecodingError.oddLength(3)) {
            try Hex.decode(utf8: Array("00 a".utf8), skippingWhitespace: true)
        }
    }
}
