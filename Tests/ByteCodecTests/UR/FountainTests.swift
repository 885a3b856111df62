import Bitcoin
import TestSupport
import Testing

@testable import ByteCodec

/// Uniform resources as Blockchain Commons' own tests have them, and back.
@Suite struct FountainTests {
    private static let vectors = "blockchain-commons/ur.json"

    private static func rows(_ kinds: String...) throws -> [VectorRow] { try Vectors.load(vectors, kinds: Set(kinds)) }

    private static let sha256: @Sendable ([UInt8]) -> [UInt8] = { SHA256.hash($0) }

    private static func random(_ seed: String) -> Xoshiro256 { Xoshiro256(seed: sha256(Array(seed.utf8))) }

    private static func message(_ count: Int) -> [UInt8] {
        var random = random("Wolf")
        return (0..<count).map { _ in UInt8(random.nextIndex(below: 256)) }
    }

    @Test func checksums() throws {
        for row in try Self.rows("crc32") {
            let text: String = try #require(row["text"])
            #expect(Hex.encode(CRC32.checksum(Array(text.utf8)).bigEndianBytes) == row["crc32"])
        }
    }

    @Test func bytewords() throws {
        for row in try Self.rows("bytewords") {
            #expect(Bytewords.minimal(try Hex.decode(#require(row["hex", as: String.self]))) == row["minimal"])
        }
    }

    @Test func drawnNumbers() throws {
        for row in try Self.rows("random", "random_range", "random_data") {
            var random = Self.random(try #require(row["seed"]))
            if let remainders: [Int] = row["remainders"] {
                #expect(remainders.indices.map { _ in Int(random.next() % 100) } == remainders)
            } else if let numbers: [Int] = row["numbers"] {
                #expect(numbers.indices.map { _ in random.nextIndex(below: 10) + 1 } == numbers)
            } else {
                #expect(Hex.encode(Self.message(10)) == row["hex"])
            }
        }
    }

    @Test func choices() throws {
        let row = try #require(try Self.rows("weighted").first)
        let (weights, choices): ([Double], [Int]) = (try #require(row["weights"]), try #require(row["choices"]))
        var random = Self.random("Wolf")
        let choice = WeightedChoice(weights)
        #expect(choices.indices.map { _ in choice.next(&random) } == choices)
    }

    @Test func shuffles() throws {
        let shuffles: [[Int]] = try #require(try Self.rows("shuffle").first?["shuffles"])
        var random = Self.random("Wolf")
        for shuffle in shuffles { #expect(random.shuffledIndices(below: 10).map { $0 + 1 } == shuffle) }
    }

    @Test func degrees() throws {
        let degrees: [Int] = try #require(try Self.rows("degrees").first?["degrees"])
        let choice = WeightedChoice((1...11).map { 1 / Double($0) })
        for (index, degree) in degrees.enumerated() {
            var random = Self.random("Wolf-\(index + 1)")
            #expect(choice.next(&random) + 1 == degree)
        }
    }

    @Test func fragments() throws {
        let row = try #require(try Self.rows("fragments").first)
        let indices: [[Int]] = try #require(row["indices"])
        let encoder = FountainEncoder(Self.message(1024), maximumLength: 100, sha256: Self.sha256)
        #expect(encoder.count == 11)
        for (index, expected) in indices.enumerated() {
            #expect(encoder.indices(inPart: UInt32(index + 1)).sorted() == expected)
        }
    }

    @Test func parts() throws {
        let parts: [String] = try #require(try Self.rows("fountain").first?["parts"])
        let encoder = FountainEncoder(Self.message(256), maximumLength: 30, sha256: Self.sha256)
        for (index, part) in parts.enumerated() { #expect(Hex.encode(encoder.part(UInt32(index + 1))) == part) }
    }

    @Test func uniformResources() throws {
        let text: String = try #require(try Self.rows("ur").first?["text"])
        let single = UniformResource(Self.message(50), kind: .bytes, maximumLength: 1_000, sha256: Self.sha256)
        #expect(single.text == text.uppercased())

        let parts: [String] = try #require(try Self.rows("ur_parts").first?["parts"])
        // 30 bytes a fragment: their two letters each, and what stands around them.
        let limit = "ur:bytes/65535-65535/".count + 2 * (30 + 24)
        let resource = UniformResource(Self.message(256), kind: .bytes, maximumLength: limit, sha256: Self.sha256)
        #expect(resource.count == 9)
        for (index, part) in parts.enumerated() {
            #expect(resource.part(UInt32(index + 1)) == part.uppercased())
            #expect(part.count <= limit)
        }
    }

    /// Whatever is lost, and in whatever order the rest comes: enough parts give the message.
    @Test func anyPartsThatAreEnoughGiveTheMessage() throws {
        var random = SeededGenerator()
        for round in 0..<30 {
            let message = random.bytes(1...(round < 3 ? 100_000 : 4_000))
            let limit = Int.random(in: (round < 3 ? 1_000 : 20)...2_000, using: &random)
            let encoder = FountainEncoder(message, maximumLength: limit, sha256: Self.sha256)
            var receiver = FountainReceiver(count: encoder.count)
            let start = UInt32.random(in: 1...UInt32(2 * encoder.count + 50), using: &random)
            var (number, taken) = (start, 0)
            while receiver.fragments == nil, taken < 20 * encoder.count + 100 {
                number += 1
                guard Int.random(in: 0..<100, using: &random) < 70 else { continue }
                taken += 1
                guard case .array(let items) = try CBORDecoder.decode(encoder.part(number)), items.count == 5,
                    case .bytes(let data) = items[4]
                else { return #expect(Bool(false), "no part") }
                receiver.take(encoder.indices(inPart: number), data)
            }
            let fragments = try #require(receiver.fragments, "\(encoder.count) fragments, \(taken) parts")
            #expect(Array(fragments.flatMap(\.self).prefix(message.count)) == message)
        }
    }
}
