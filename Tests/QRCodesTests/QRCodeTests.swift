import Bitcoin
import Testing

@testable import QRCodes

@Suite struct QRCodeTests {
    @Test func threeCornersHoldAFinderPattern() throws {
        let finder = ["1111111", "1000001", "1011101", "1011101", "1011101", "1000001", "1111111"]
        let code = try QRCode("HELLO")
        #expect(code.size == 21)
        for (left, top) in [(0, 0), (14, 0), (0, 14)] {
            let drawn = (top..<top + 7).map { row in
                (left..<left + 7).map { code[$0, row] ? "1" : "0" }.joined()
            }
            #expect(drawn == finder)
        }
        // The corner without one differs, and all around there is light.
        #expect(
            (14..<21).contains { row in (14..<21).contains { code[$0, row] != (finder[row - 14].utf8.first == 0x31) } })
        for outside in [-1, 21, Int.min, Int.max] {
            #expect(!code[outside, 0] && !code[0, outside])
        }
    }

    /// ISO/IEC 18004, table of capacities: version 40 at level M holds 2331 bytes, 3391 capitals or 5596 digits, and at
    /// level L 2953 bytes.
    @Test func theLargestCodeIsFilledAndNotOverfilled() throws {
        for (level, character, count) in [
            (QRCode.Level.medium, "a", 2_331), (.medium, "A", 3_391), (.medium, "1", 5_596), (.low, "a", 2_953),
        ] {
            #expect(try QRCode(String(repeating: character, count: count), level: level).size == 177)
            let error = QRCodeError.tooLong(bytes: count + 1, limit: level == .low ? 2_953 : 2_331)
            #expect(throws: error) { try QRCode(String(repeating: character, count: count + 1), level: level) }
        }
    }

    @Test func onlyASCIIWithoutNULIsEncoded() {
        #expect(throws: QRCodeError.empty) { try QRCode("") }
        for text in ["é", "bitcoin:x\u{0}y", "\u{0}", "₿"] {
            #expect(throws: QRCodeError.characters) { try QRCode(text) }
        }
    }

    /// What the upper-case form of a URI is for.
    @Test func capitalsMakeASmallerCode() throws {
        let uri = PaymentURI(
            address: try Address(parsing: "bc1qw508d6qejxtdg4y5r3zarvary0c5xw7kv8f3t4", network: .main))
        #expect(try QRCode(uri.qrText).size == 29)
        #expect(try QRCode(uri.description).size == 33)
    }

    @Test func everyErrorIsToldInWords() {
        #expect(QRCodeError.terminalTooNarrow(needed: 33, columns: 20).message.contains("33 columns"))
        #expect(QRCodeError.system("Out of memory").message.contains("Out of memory."))
        #expect(QRCodeError.characters.message.contains("ASCII"))
        #expect(QRCodeError.empty.message.contains("nothing"))
    }
}
