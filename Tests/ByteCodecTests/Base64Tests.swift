import ByteCodec
import Testing

@Suite struct Base64Tests {
    /// RFC 4648, section 10.
    private static let published = [
        ("", ""), ("f", "Zg=="), ("fo", "Zm8="), ("foo", "Zm9v"), ("foob", "Zm9vYg=="), ("fooba", "Zm9vYmE="),
        ("foobar", "Zm9vYmFy"),
    ]

    @Test(arguments: published) func encodesAndDecodesThePublishedVectors(bytes: String, text: String) throws {
        #expect(Base64.encode(Array(bytes.utf8)) == text)
        #expect(Base64.encodeUTF8(Array(bytes.utf8)) == Array(text.utf8))
        #expect(try Base64.decode(text) == Array(bytes.utf8))
    }

    @Test func usesPlusAndSlash() throws {
        #expect(Base64.encode([0xFB, 0xEF, 0xFF]) == "++//")
        #expect(try Base64.decode("++//") == [0xFB, 0xEF, 0xFF])
    }

    @Test func everyByteStringComesBack() throws {
        for count in 0..<300 {
            let bytes = (0..<count).map { UInt8(truncatingIfNeeded: $0 &* 167 &+ count) }
            #expect(try Base64.decode(Base64.encode(bytes)) == bytes)
        }
    }

    @Test(
        arguments: [
            ("Zg", .incomplete), ("Zg=", .incomplete), ("Zm9vY", .incomplete), ("Z", .incomplete),
            ("Z===", .padding(offset: 1)), ("====", .padding(offset: 0)), ("Zm9v=", .padding(offset: 4)),
            ("Zm8==", .padding(offset: 4)), ("Zg===", .padding(offset: 4)), ("Zg==Zg==", .notADigit(offset: 4)),
            ("Zm9-", .notADigit(offset: 3)), ("Zm9_", .notADigit(offset: 3)), ("Zm 9v", .notADigit(offset: 2)),
            ("Zm9v\n", .notADigit(offset: 4)), ("Zm9é", .notADigit(offset: 3)), ("Zh==", .unusedBits(offset: 1)),
            ("Zm9vZm9=", .unusedBits(offset: 6)),
        ] as [(String, Base64.DecodingError)])
    func namesWhatIsWrong(text: String, error: Base64.DecodingError) {
        #expect(throws: error) { try Base64.decode(text) }
    }

    @Test func skipsWhitespaceWhenAsked() throws {
        let text = " \tZm9v\r\nYm\nE= \n"
        #expect(try Base64.decode(utf8: Array(text.utf8), skippingWhitespace: true) == Array("fooba".utf8))
        #expect(throws: Base64.DecodingError.notADigit(offset: 0)) { try Base64.decode(text) }
        #expect(throws: Base64.DecodingError.notADigit(offset: 3)) {
            try Base64.decode(utf8: Array(" Zm!9v".utf8), skippingWhitespace: true)
        }
    }
}
