import ByteCodec
import TestSupport
import Testing

/// Texts that stand for bytes are read, and written, in time that grows as they do.
@Suite struct TextScalingTests {
    @Test func hexadecimal() throws {
        var random = SeededGenerator()
        try Scaling.expectLinear("hexadecimal digits") { size in
            Hex.encode(random.bytes(size...size))
        } work: { text in
            _ = try Hex.decode(text)
        }
        try Scaling.expectLinear("hexadecimal digits in lines") { size in
            Array((0..<size).flatMap { _ in Array("ab \r\n\t".utf8) })
        } work: { text in
            _ = try Hex.decode(utf8: text, skippingWhitespace: true)
        }
    }

    @Test func base64() throws {
        var random = SeededGenerator()
        try Scaling.expectLinear("Base64 characters") { size in
            Base64.encode(random.bytes(size...size))
        } work: { text in
            _ = try Base64.decode(text)
        }
        try Scaling.expectLinear("Base64 characters in lines") { size in
            (0..<size).flatMap { _ in Array("AAAA\r\n".utf8) }
        } work: { text in
            _ = try Base64.decode(utf8: text, skippingWhitespace: true)
        }
    }

    /// Base58 costs the square of its length, and Bech32 is short by its rules: what is longer is refused unread.
    @Test func whatIsTooLongIsRefusedUnread() throws {
        try Scaling.expectLinear("Base58 characters", from: 256) { size in
            String(repeating: "z", count: size)
        } work: { text in
            #expect(throws: Base58.DecodingError.self) { try Base58.decode(text + "zzz") }
        }
        try Scaling.expectLinear("Bech32 characters") { size in
            "bc1" + String(repeating: "q", count: size)
        } work: { text in
            #expect(throws: Bech32.DecodingError.self) { try Bech32.decode(text) }
        }
    }

    @Test func bech32Values() throws {
        try Scaling.expectLinear("values of five bits") { size in
            [UInt8](repeating: 0, count: 8 * size)
        } work: { values in
            _ = try Bech32.bytes(fromFiveBitValues: values)
        }
    }
}
