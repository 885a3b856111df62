import ByteCodec

/// What cards answer, before it means anything. They write heads longer than need be, and leave open how many elements follow:
/// so a value may be written in several ways, and nothing is proven over CBOR's bytes. The encoder has one way.
enum CBORTarget: FuzzTarget {
    static let name = "cbor"

    static func run(_ bytes: [UInt8]) throws {
        let value = try CBORDecoder.decode(bytes)
        let encoding = CBOREncoder.encode(value)
        // Except whoever leaves open how many elements, 256 or more, an array or a map has.
        expect(encoding.count <= bytes.count + bytes.count / 256, "nobody writes a value shorter than the encoder")
        let again = required("what the encoder writes is read") { try CBORDecoder.decode(encoding) }
        expectSame(again, value, "what is read from the encoder's writing is what was written")
        expectSame(CBOREncoder.encode(again), encoding, "the encoder writes a value in one way")
    }

    static func seeds(_ vectors: VectorTexts) throws -> [[UInt8]] {
        try vectors.hexadecimal(in: ["ietf/cbor_rfc8949.json", "coinkite/cktap.json"])
    }
}
