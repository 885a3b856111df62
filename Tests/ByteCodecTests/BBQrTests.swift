import ByteCodec
import TestSupport
import Testing

@Suite struct BBQrTests {
    @Test func theHeaderIsTheSpecifications() {
        #expect(BBQr.parts(of: Array("foobar".utf8), type: .psbt, maximumLength: 18) == ["B$2P0100MZXW6YTBOI"])
        #expect(
            BBQr.parts(of: Array("foobarfoobar".utf8), type: .text, maximumLength: 16)
                == ["B$2U0300MZXW6YTB", "B$2U0301OJTG633C", "B$2U0302MFZA"])
        #expect(BBQr.parts(of: [], type: .binary, maximumLength: 100) == ["B$2B0100"])
    }

    /// Nothing is longer than it may be, all but the last are equally long and end where bytes do, and the last is not
    /// much shorter for nothing.
    @Test func partsAreEvenAndWholeInAnyOrder() throws {
        var random = SeededGenerator()
        for round in 0..<300 {
            let bytes = random.bytes(0...(round < 20 ? 100_000 : 3_000))
            let limit = Int.random(in: (round < 20 ? 600 : 60)...4_296, using: &random)
            let parts = try #require(BBQr.parts(of: bytes, type: .psbt, maximumLength: limit))
            #expect(parts.allSatisfy { $0.utf8.count <= limit })
            #expect(Set(parts.dropLast().map(\.utf8.count)).count <= 1)
            #expect(parts.dropLast().allSatisfy { $0.utf8.count % 8 == 0 })
            #expect(try Self.joined(parts.shuffled(using: &random)) == bytes)
        }
    }

    @Test func whatIsTooMuchIsRefused() {
        let bytes = [UInt8](repeating: 7, count: 5 * 1295)
        #expect(BBQr.parts(of: bytes, type: .psbt, maximumLength: 16)?.count == 1295)
        #expect(BBQr.parts(of: bytes + [7], type: .psbt, maximumLength: 16) == nil)
        #expect(BBQr.parts(of: bytes, type: .psbt, maximumLength: 15) == nil)
        #expect(BBQr.parts(of: [], type: .psbt, maximumLength: 8) == ["B$2P0100"])
        for limit in [7, 1, 0, -1, .min] {
            #expect(BBQr.parts(of: bytes, type: .psbt, maximumLength: limit) == nil)
            #expect(BBQr.parts(of: [], type: .psbt, maximumLength: limit) == nil)
        }
    }

    /// A receiver, as the specification describes it.
    private static func joined(_ parts: [String]) throws -> [UInt8] {
        let alphabet = Array("ABCDEFGHIJKLMNOPQRSTUVWXYZ234567".utf8)
        var data: [Int: [UInt8]] = [:]
        var count = 0
        for part in parts {
            let characters = Array(part.utf8)
            try #require(characters.count >= 8 && characters[..<4].elementsEqual("B$2P".utf8))
            count = try #require(Int(String(decoding: characters[4..<6], as: UTF8.self), radix: 36))
            let index = try #require(Int(String(decoding: characters[6..<8], as: UTF8.self), radix: 36))
            var bytes: [UInt8] = []
            var (bits, held) = (0, 0)
            for character in characters[8...] {
                guard let value = alphabet.firstIndex(of: character) else { throw NoDigit(character: character) }
                (bits, held) = (bits << 5 & 0xFFF | value, held + 5)
                guard held >= 8 else { continue }
                held -= 8
                bytes.append(UInt8(truncatingIfNeeded: bits >> held))
            }
            data[index] = bytes
        }
        #expect(data.count == count && parts.count == count)
        return (0..<count).flatMap { data[$0] ?? [] }
    }

    /// No digit of Base32.
    private struct NoDigit: Error {
        let character: UInt8
    }
}
