import Bitcoin

@testable import ByteCodec

/// Content as texts of QR codes, BBQr and uniform resources, reassembled in the simplest way. The first two bytes give the
/// longest text, and the mixture to examine.
enum QRTarget: FuzzTarget {
    static let name = "qr"
    static let maximumLength = 2_048

    static func run(_ bytes: [UInt8]) throws {
        var source = ByteSource(bytes)
        let length = 8 + Int(source.byte()) * 4
        let mixture = UInt32(source.byte())
        let content = source.rest()
        checkBBQr(content, length)
        guard !content.isEmpty else { return }
        checkUR(content, max(100, length), mixture)
    }

    private static let alphanumeric = Set("0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZ $%*+-./:".utf8)

    private static func checkBBQr(_ content: [UInt8], _ length: Int) {
        guard let parts = BBQr.parts(of: content, type: .binary, maximumLength: length) else {
            expect(length < 16 || content.count > (length - 15) * 5 / 8 * 1_295, "what fits is divided")
            return
        }
        var read: [UInt8] = []
        for (index, part) in parts.enumerated() {
            expect(part.utf8.count <= length, "no part is longer than there is room")
            expect(part.utf8.allSatisfy(alphanumeric.contains), "a part is alphanumeric")
            let head = Array(part.prefix(8))
            expectSame(String(head[..<4]), "B$2B", "a part says what it is")
            expectSame(Int(String(head[4..<6]), radix: 36), parts.count, "a part says how many there are")
            expectSame(Int(String(head[6...]), radix: 36), index, "a part says which it is")
            read += base32(part.dropFirst(8))
        }
        expectSame(read, content, "the parts are the content")
    }

    private static func base32(_ text: Substring) -> [UInt8] {
        let digits = Array("ABCDEFGHIJKLMNOPQRSTUVWXYZ234567".utf8)
        var (bytes, value, bits): ([UInt8], UInt32, UInt32) = ([], 0, 0)
        for character in text.utf8 {
            value = value << 5 | UInt32(required(digits.firstIndex(of: character), "a character is a digit"))
            bits += 5
            guard bits >= 8 else { continue }
            bits -= 8
            bytes.append(UInt8(truncatingIfNeeded: value >> bits))
        }
        expect(value & (1 << bits - 1) == 0, "there is nothing behind the last byte")
        return bytes
    }

    private static func checkUR(_ content: [UInt8], _ length: Int, _ mixture: UInt32) {
        let message = CBOREncoder.encode(.bytes(content))
        let resource = UniformResource(content, kind: .bytes, maximumLength: length) { SHA256.hash($0) }
        expect(resource.text.utf8.allSatisfy(alphanumeric.contains), "a text is alphanumeric")
        expectSame(bytewords(resource.text.dropFirst("UR:BYTES/".count)), message, "one text is the message")
        var fragments: [[UInt8]] = []
        for number in 1...UInt32(resource.count) {
            let part = resource.part(number)
            expect(part.utf8.count <= length, "no part is longer than there is room")
            fragments.append(fragment(part, number, resource.count, message))
        }
        expectSame(Array(fragments.joined().prefix(message.count)), message, "the fragments are the message")
        expect(
            fragments.joined().dropFirst(message.count).allSatisfy { $0 == 0 }, "the last fragment is filled with zeros"
        )

        let number = UInt32(resource.count) + 1 + mixture
        let mixed = fragment(resource.part(number), number, resource.count, message)
        let encoder = FountainEncoder(message, maximumLength: fragments[0].count) { SHA256.hash($0) }
        let indices = encoder.indices(inPart: number)
        expect(!indices.isEmpty && Set(indices).count == indices.count, "a mixture has each fragment once")
        guard encoder.count == resource.count else { return }
        var expected = [UInt8](repeating: 0, count: fragments[0].count)
        for index in indices { for place in expected.indices { expected[place] ^= fragments[index][place] } }
        expectSame(mixed, expected, "a mixture is of the fragments that its number says")
    }

    private static func fragment(_ part: String, _ number: UInt32, _ count: Int, _ message: [UInt8]) -> [UInt8] {
        let head = "UR:BYTES/\(number)-\(count)/"
        expect(part.hasPrefix(head), "a part says which it is")
        let decoded = required("a part is CBOR") { try CBORDecoder.decode(bytewords(part.dropFirst(head.count))) }
        guard case .array(let items) = decoded, items.count == 5, case .bytes(let data) = items[4] else {
            expect(false, "a part has five items")
            return []
        }
        let numbers = [number, UInt32(count), UInt32(message.count), CRC32.checksum(message)]
        expectSame(Array(items.prefix(4)), numbers.map { .unsigned(UInt64($0)) }, "a part says what it is of")
        return data
    }

    /// The bytes of minimal bytewords, without their checksum.
    private static func bytewords(_ text: Substring) -> [UInt8] {
        let letters = Array(text.lowercased().utf8)
        let bytes = stride(from: 0, to: letters.count - 1, by: 2).map { place in
            required(words[[letters[place], letters[place + 1]]], "two letters are a word")
        }
        expectSame(
            Array(bytes.suffix(4)), CRC32.checksum(bytes.dropLast(4)).bigEndianBytes, "the checksum is right")
        return Array(bytes.dropLast(4))
    }

    /// Each word's first and last letter, as the encoder writes one byte.
    private static let words: [[UInt8]: UInt8] = Dictionary(
        uniqueKeysWithValues: (UInt8.min...UInt8.max).map { (Array(Bytewords.minimal([$0]).utf8.prefix(2)), $0) })

    static func seeds(_ vectors: VectorTexts) throws -> [[UInt8]] {
        try vectors.psbts.prefix(20).map { [30, 3] + $0 } + [[0, 0], [2, 1, 7], [10, 9] + [UInt8](0...255)]
    }
}
