import ByteCodec

/// Responses of cards as CBOR, before they are interpreted. Cards write longer heads than necessary, and indefinite lengths,
/// so a value may have several encodings, and no proof covers the CBOR bytes. The encoder produces one encoding.
enum CBORTarget: FuzzTarget {
    static let name = "cbor"

    static func run(_ bytes: [UInt8]) throws {
        let value = try CBORDecoder.decode(bytes)
        let encoding = CBOREncoder.encode(value)
        // Except with an indefinite length for an array or map of 256 or more elements.
        expect(encoding.count <= bytes.count + bytes.count / 256, "no encoding is shorter than the encoder's")
        let again = required("the encoder's output can be decoded") { try CBORDecoder.decode(encoding) }
        expectSame(again, value, "decoding the encoder's output returns the value")
        expectSame(CBOREncoder.encode(again), encoding, "a value has one encoding")
    }

    static func seeds(_ vectors: VectorTexts) throws -> [[UInt8]] {
        try vectors.hexadecimal(in: ["ietf/cbor_rfc8949.json", "coinkite/cktap.json"])
    }
}
