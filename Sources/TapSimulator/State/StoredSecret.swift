import Bitcoin
import ByteCodec

/// A secret in the card's file: hexadecimal there, wiped memory here, and no description.
struct StoredSecret: Codable, Sendable, Equatable {
    let bytes: SecretBytes

    init(_ bytes: SecretBytes) { self.bytes = bytes }

    init(_ bytes: some Collection<UInt8>) { self.bytes = SecretBytes(bytes) }

    init(from decoder: any Decoder) throws {
        var content = try HexBytes(from: decoder).bytes
        bytes = SecretBytes(moving: &content)
    }

    func encode(to encoder: any Encoder) throws { try HexBytes(content).encode(to: encoder) }

    private var content: [UInt8] { bytes.withBytes { Array($0) } }

    /// Lower-case hexadecimal; for the card's owner only.
    var hexadecimal: String { Hex.encode(content) }

    static func == (left: Self, right: Self) -> Bool { left.bytes.isEqual(to: right.bytes) }
}

/// Bytes stored in JSON as lower-case hexadecimal.
struct HexBytes: Codable, Sendable, Equatable {
    let bytes: [UInt8]

    init(_ bytes: [UInt8]) { self.bytes = bytes }

    init(from decoder: any Decoder) throws {
        let container = try decoder.singleValueContainer()
        do {
            bytes = try Hex.decode(container.decode(String.self))
        } catch is Hex.DecodingError {
            throw DecodingError.dataCorruptedError(in: container, debugDescription: "not hexadecimal")
        }
    }

    func encode(to encoder: any Encoder) throws {
        var container = encoder.singleValueContainer()
        try container.encode(Hex.encode(bytes))
    }
}
