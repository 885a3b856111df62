import ByteCodec
import Testing

@Suite struct Base32Tests {
    /// RFC 4648, section 10, without the padding.
    @Test(arguments: [
        ("", ""), ("f", "MY"), ("fo", "MZXQ"), ("foo", "MZXW6"), ("foob", "MZXW6YQ"), ("fooba", "MZXW6YTB"),
        ("foobar", "MZXW6YTBOI"),
    ])
    func encodesTheVectorsOfTheRFC(text: String, expected: String) {
        #expect(Base32.encode(text.utf8) == expected)
    }
}
