import ByteCodec
import TestSupport
import Testing

/// CBOR from a card or a program is read in time that grows as it does, whatever it is made of.
@Suite struct CBORScalingTests {
    /// An item of unknown length: its head, what stands in it so many times, and the break.
    private func open(_ head: UInt8, _ size: Int, _ piece: (Int) -> [UInt8]) -> [UInt8] {
        var bytes = [head]
        for number in 0..<size { bytes += piece(number) }
        bytes.append(0xFF)
        return bytes
    }

    /// A head with its length in four bytes.
    private func head(_ initial: UInt8, _ size: Int) -> [UInt8] { [initial] + bigEndian(size) }

    private func bigEndian(_ number: Int) -> [UInt8] { withUnsafeBytes(of: UInt32(number).bigEndian) { Array($0) } }

    /// Far more than a card or a program sends, and no more than stays in a processor's cache: items are read so fast that with
    /// larger inputs only the memory is measured.
    private static let largest = 1 << 17

    private func expectLinear(
        _ what: String, from start: Int = 64, sourceLocation: SourceLocation = #_sourceLocation,
        _ input: (Int) -> [UInt8]
    ) throws {
        try Scaling.expectLinear(
            what, from: start, upTo: Self.largest, sourceLocation: sourceLocation, input: input
        ) { bytes in
            _ = try CBORDecoder.decode(bytes)
        }
    }

    @Test func items() throws {
        try expectLinear("items of an array") { size in open(0x9F, size) { [UInt8($0 % 24)] } }
        try expectLinear("items of an array of known length") { size in
            head(0x9A, size) + [UInt8](repeating: 1, count: size)
        }
    }

    @Test func keys() throws {
        try expectLinear("keys of a map") { size in
            open(0xBF, size) { number -> [UInt8] in [0x68] + Array(String(number + 10_000_000).utf8) + [0x01] }
        }
        try expectLinear("numbers for keys") { size in
            open(0xBF, size) { number -> [UInt8] in head(0x1A, number) + [0x01] }
        }
    }

    @Test func chunks() throws {
        try expectLinear("chunks of a byte string") { size in open(0x5F, size) { _ in [0x41, 0xAA] } }
        try expectLinear("chunks of a text") { size in open(0x7F, size) { _ in [0x61, 0x61] } }
        try expectLinear("bytes of a text") { size in head(0x7A, size) + [UInt8](repeating: 0x61, count: size) }
    }

    /// As deep as is read, with as much as there is at the bottom, which each level passes on.
    @Test func depth() throws {
        let heads: [(String, [UInt8])] = [
            ("tags", [0xC1]), ("arrays", [0x81]), ("maps with other keys", [0xA1, 0x01]),
        ]
        for (what, head) in heads {
            try expectLinear("what stands in \(what)") { size in
                var bytes: [UInt8] = []
                for _ in 2..<CBORDecoder.maximumDepth { bytes += head }
                return bytes + open(0x9F, size) { _ in [1] }
            }
        }
        try Scaling.expectLinear("arrays that are too deep") { size in
            [UInt8](repeating: 0x81, count: size)
        } work: { bytes in
            #expect(throws: CBORDecoder.DecodingError.tooDeep) { try CBORDecoder.decode(bytes) }
        }
    }

    /// What is announced and not there costs nothing.
    @Test func announcements() throws {
        try Scaling.expectLinear("announced items") { size in
            Array(open(0xFF, size) { _ in [0x9B, 0x7F] + [UInt8](repeating: 0xFF, count: 7) }.dropFirst())
        } work: { bytes in
            #expect(throws: CBORDecoder.DecodingError.self) { try CBORDecoder.decode(bytes) }
        }
    }
}
