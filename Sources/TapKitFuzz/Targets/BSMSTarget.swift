import Bitcoin
import TapManager

/// Records of a multisig wallet's setup. The first byte chooses the network, and whether the record is encrypted.
enum BSMSTarget: FuzzTarget {
    static let name = "bsms"
    static let maximumLength = 2_048

    static func run(_ bytes: [UInt8]) throws {
        var source = ByteSource(bytes)
        let choice = source.byte()
        let network: Network = choice & 1 == 0 ? .main : .test
        guard let text = String(validating: source.rest(), as: UTF8.self) else { return }
        if let token = BSMSToken(hex: text) {
            expectSame(BSMSToken(hex: token.hex), token, "a token is written and read")
        }
        // Deriving the key of an encrypted record takes a thousand times as long as everything else.
        if choice == 0xFE, let token = BSMSToken(hex: "0123456789abcdef") {
            expectSame(token.opened(token.sealed(text)), text.isEmpty ? nil : text, "what was sealed is opened")
            expect(token.opened(text) == nil, "what nobody sealed is not opened")
        }
        let record = try BSMSDescriptorRecord(parsing: text, networks: [network])
        let again = required("what is written is read") {
            try BSMSDescriptorRecord(parsing: record.text, networks: [network])
        }
        expectSame(again, record, "a record that is written is the same")
        let first = required("a record's descriptor is one") { try Descriptor(parsing: record.descriptors[0]).script() }
        let address = required("a record's address is one") {
            try Address(parsing: record.firstAddress, network: network)
        }
        expectSame(address.scriptPubKey, first, "the first address is the wallet's")
    }

    static func seeds(_ vectors: VectorTexts) throws -> [[UInt8]] {
        let texts = try vectors.texts(in: "bips/bip129.json").filter { $0.hasPrefix("BSMS") || $0.count < 40 }
        let records = texts.map { Array($0.utf8) }
        return records.map { [0] + $0 } + records.map { [1] + $0 } + records.prefix(3).map { [0xFE] + $0 }
    }
}
