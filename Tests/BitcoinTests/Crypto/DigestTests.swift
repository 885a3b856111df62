import Bitcoin
import ByteCodec
import Testing

/// The 32 bytes that are signed.
@Suite struct DigestTests {
    @Test func onlyThirtyTwoBytesAreADigest() {
        for count in [0, 31, 33, 64] { #expect(Digest([UInt8](repeating: 1, count: count)) == nil) }
        #expect(Digest([UInt8](1...32))?.bytes == [UInt8](1...32))
        #expect(Digest(([UInt8](0...32))[1...]) == Digest([UInt8](1...32)))
    }

    /// FIPS 180-4's example, and its hash hashed again.
    @Test func hashesOnceOrTwice() throws {
        let once = Digest(hashing: "abc".utf8)
        #expect(once.description == "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad")
        #expect(Digest(doubleHashing: "abc".utf8) == Digest(hashing: once.bytes))
        #expect(once.bytes == SHA256.hash("abc".utf8) && once != Digest(doubleHashing: "abc".utf8))
    }

    @Test func isShownAsItIsSigned() {
        #expect(Digest([UInt8](0..<32))?.description == Hex.encode([UInt8](0..<32)))
    }
}
