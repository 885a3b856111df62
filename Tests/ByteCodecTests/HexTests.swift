import ByteCodec
import Testing

@Suite struct HexTests {
    @Test func encodesLowerCaseAndDecodesBothCases() throws {
        #expect(Hex.encode([0x00, 0xAB, 0xFF]) == "00abff")
        #expect(try Hex.decode("00ABff") == [0x00, 0xAB, 0xFF])
    }

    @Test func namesWhatIsWrong() {
        #expect(throws: Hex.DecodingError.oddLength(3)) { try Hex.decode("abc") }
        #expect(throws: Hex.DecodingError.notADigit(offset: 2)) { try Hex.decode("abg0") }
    }
}
