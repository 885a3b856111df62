import ByteCodec
import TestSupport
import Testing

/// No input makes a decoder trap, and what it takes, its encoder gives back. A trap ends the test process.
@Suite struct RandomBytesTests {
    private static let rounds = 100_000

    @Test func cbor() throws {
        var generator = SeededGenerator(for: "RandomBytesTests.cbor")
        let samples =
            try Vectors.load("ietf/cbor_rfc8949.json").map { try $0.bytes("hex") }
            + Vectors.load("coinkite/cktap.json", kinds: ["status_response"]).map { try $0.bytes("cbor") }
        var taken = 0
        for round in 0..<Self.rounds {
            let bytes = input(round, samples, &generator)
            guard let value = try? CBORDecoder.decode(bytes) else { continue }
            taken += 1
            let encoded = CBOREncoder.encode(value)
            if (try? CBORDecoder.decode(encoded)) != value { Issue.record("\(Hex.encode(bytes))") }
        }
        #expect(taken > 1000)
    }

    @Test func base58() throws {
        var generator = SeededGenerator(for: "RandomBytesTests.base58")
        let samples = try Vectors.load("bitcoin-core/base58.json", kinds: ["encode"])
            .map { Array(try $0.text("base58").utf8) }
        var taken = 0
        for round in 0..<Self.rounds {
            let text = String(decoding: input(round, samples, &generator), as: UTF8.self)
            guard let bytes = try? Base58.decode(text) else { continue }
            taken += 1
            if Base58.encode(bytes) != text { Issue.record("\(text)") }
        }
        #expect(taken > 1000)
    }

    @Test func bech32() throws {
        var generator = SeededGenerator(for: "RandomBytesTests.bech32")
        let samples = try Vectors.load("bips/bech32.json", kinds: ["string"]).map { Array(try $0.text("string").utf8) }
        var refused = 0
        for round in 0..<Self.rounds {
            let text = String(decoding: input(round, samples, &generator), as: UTF8.self)
            guard let decoded = try? Bech32.decode(text) else {
                refused += 1
                continue
            }
            _ = try? Bech32.bytes(fromFiveBitValues: decoded.values)
            let encoded = Bech32.encode(
                humanReadablePart: decoded.humanReadablePart, values: decoded.values, variant: decoded.variant)
            if encoded != text.lowercased() { Issue.record("\(text)") }
        }
        #expect(refused > 90_000)
    }

    @Test func hex() {
        var generator = SeededGenerator(for: "RandomBytesTests.hex")
        let samples = [Array("00".utf8), Array("ffFF0102".utf8), Array("0123456789abcdefABCDEF".utf8)]
        var taken = 0
        for round in 0..<Self.rounds {
            let text = String(decoding: input(round, samples, &generator), as: UTF8.self)
            guard let bytes = try? Hex.decode(text) else { continue }
            taken += 1
            if Hex.encode(bytes) != text.lowercased() { Issue.record("\(text)") }
        }
        #expect(taken > 1000)
    }

    @Test func byteReader() {
        var generator = SeededGenerator(for: "RandomBytesTests.byteReader")
        for _ in 0..<Self.rounds {
            let bytes = generator.bytes(0...40)
            var reader = ByteReader(bytes)
            while !reader.isAtEnd {
                let offset = reader.offset
                switch generator.next() % 5 {
                case 0: _ = try? reader.compactSize()
                case 1: _ = try? reader.sizedSlice()
                case 2: _ = try? reader.littleEndian(UInt64.self)
                case 3: _ = try? reader.read(Int(truncatingIfNeeded: generator.next()))
                default: _ = try? reader.byte()
                }
                if reader.offset < offset || reader.offset + reader.remaining != bytes.count {
                    Issue.record("\(Hex.encode(bytes))")
                }
            }
        }
    }

    /// By turns random bytes and damaged samples.
    private func input(_ round: Int, _ samples: [[UInt8]], _ generator: inout SeededGenerator) -> [UInt8] {
        guard round % 4 != 0, let sample = samples.randomElement(using: &generator) else {
            return generator.bytes(0...64)
        }
        return generator.damaged(sample)
    }
}
