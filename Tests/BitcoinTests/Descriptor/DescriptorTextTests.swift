import Bitcoin
import Testing

@Suite struct DescriptorTextTests {
    private static let bare = "wpkh(02f9308a019258c31049344f85f89d5229b531c845836f99b08601f113bce036f9)"

    @Test func aTextHasItsChecksum() throws {
        let descriptor = try Descriptor(parsing: Self.bare)
        let text = try #require(DescriptorText(descriptor))
        #expect(text.description == (try DescriptorChecksum.append(to: Self.bare)))
        #expect(try DescriptorText(text.parsed()) == text)
    }

    @Test func aPrivateKeyHasNone() throws {
        let secret = "wpkh(L4rK1yDtCWekvXuE6oXD9jCYfFNV2cWRpVuPLBcCU2z8TrisoyY1)"
        #expect(DescriptorText(try Descriptor(parsing: secret)) == nil)
    }

    /// What was kept is shown as it is, and read with care.
    @Test(arguments: ["", "wpkh(", bare + "#00000000"]) func aDamagedTextIsNotRead(_ text: String) {
        let kept = DescriptorText(stored: text)
        #expect(kept.description == text)
        #expect(throws: DescriptorError.self) { try kept.parsed() }
    }
}
