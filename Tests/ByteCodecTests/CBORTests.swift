import ByteCodec
import TestSupport
import Testing

@Suite struct CBORTests {
    private static let file = "ietf/cbor_rfc8949.json"

    @Test func everyRowIsHere() throws {
        #expect(
            try Vectors.load(Self.file).countsByKind
                == ["well_formed": 81, "not_well_formed": 94, "trailing": 3, "not_shortest": 11])
    }

    @Test func readsWhatTheRFCCallsWellFormed() throws {
        for row in try Vectors.load(Self.file, kinds: ["well_formed"]) {
            let bytes = try row.bytes("hex")
            let value = try CBORDecoder.decode(bytes)
            #expect(isEqual(value, try row.object("value"), encoding: bytes), "\(row.testDescription)")
            if try row.flag("canonical_round_trip") {
                #expect(CBOREncoder.encode(value) == bytes, "\(row.testDescription)")
            }
        }
    }

    @Test func refusesWhatTheRFCCallsNotWellFormed() throws {
        for row in try Vectors.load(Self.file, kinds: ["not_well_formed"]) {
            #expect(throws: CBORDecoder.DecodingError.self, "\(row.testDescription)") {
                try CBORDecoder.decode(try row.bytes("hex"))
            }
        }
    }

    @Test func refusesTrailingBytes() throws {
        for row in try Vectors.load(Self.file, kinds: ["trailing"]) {
            let bytes = try row.bytes("hex")
            let count = bytes.count - (try row.number("first_item_bytes"))
            #expect(throws: CBORDecoder.DecodingError.trailingBytes(count: count), "\(row.testDescription)") {
                try CBORDecoder.decode(bytes)
            }
        }
    }

    @Test func takesLongHeadsAndWritesShortOnes() throws {
        for row in try Vectors.load(Self.file, kinds: ["not_shortest"]) {
            let bytes = try row.bytes("hex")
            let value = try CBORDecoder.decode(bytes)
            #expect(isEqual(value, try row.object("value"), encoding: bytes), "\(row.testDescription)")
            if case .other = value { continue }
            #expect(CBOREncoder.encode(value) == (try row.bytes("shortest")), "\(row.testDescription)")
        }
    }

    @Test func cardMessagesGoBothWays() throws {
        let rows = try Vectors.load("coinkite/cktap.json", kinds: ["request", "status_response"])
        #expect(rows.countsByKind == ["request": 18, "status_response": 6])
        for row in rows {
            let bytes = try row.bytes("cbor")
            let value = try CBORDecoder.decode(bytes)
            guard case .map(let map) = value else {
                Issue.record("\(row.testDescription) is no map")
                continue
            }
            let fields = try row.object("fields").fields
            #expect(Set(map.pairs.map(\.key)) == Set(fields.keys), "\(row.testDescription)")
            for (key, field) in fields {
                #expect(map[key].map { isEqual($0, plain: field) } == true, "\(row.testDescription) \(key)")
            }
            #expect(CBOREncoder.encode(value) == bytes, "\(row.testDescription)")
        }
    }

    @Test func aKeyTwiceIsRefused() {
        #expect(throws: CBORDecoder.DecodingError.duplicateKey("a")) {
            try CBORDecoder.decode([0xA2, 0x61, 0x61, 0x01, 0x61, 0x61, 0x01])
        }
        #expect(throws: CBORDecoder.DecodingError.duplicateKey("a")) {
            try CBORDecoder.decode([0xBF, 0x61, 0x61, 0x01, 0x61, 0x61, 0x01, 0xFF])
        }
    }

    @Test func nestingIsBounded() throws {
        func nested(_ depth: Int) -> [UInt8] { [UInt8](repeating: 0x81, count: depth) + [0x00] }
        #expect(throws: Never.self) { try CBORDecoder.decode(nested(CBORDecoder.maximumDepth)) }
        #expect(throws: CBORDecoder.DecodingError.tooDeep) {
            try CBORDecoder.decode(nested(CBORDecoder.maximumDepth + 1))
        }
        #expect(throws: CBORDecoder.DecodingError.tooDeep) { try CBORDecoder.decode(nested(1_000_000)) }
        #expect(throws: CBORDecoder.DecodingError.tooDeep) {
            try CBORDecoder.decode([UInt8](repeating: 0xC1, count: 1_000_000) + [0x00])
        }
    }

    @Test(arguments: [UInt8(0x5B), 0x7B, 0x9B, 0xBB])
    func hugeCountsFailAtOnce(head: UInt8) {
        #expect(throws: CBORDecoder.DecodingError.truncated) {
            try CBORDecoder.decode([head] + [UInt8](repeating: 0xFF, count: 8) + [0, 0])
        }
    }

    @Test func textMustBeUTF8() {
        #expect(throws: CBORDecoder.DecodingError.notUTF8(offset: 0)) { try CBORDecoder.decode([0x61, 0xFF]) }
        #expect(throws: CBORDecoder.DecodingError.notUTF8(offset: 1)) {
            // A character may not be split between chunks.
            try CBORDecoder.decode([0x7F, 0x61, 0xC3, 0x61, 0xBC, 0xFF])
        }
    }

    @Test func aLargeMapTakesLinearTime() throws {
        let count = 50_000
        var bytes: [UInt8] = [0xB9, UInt8(count >> 8), UInt8(count & 0xFF)]
        for key in 0..<count { bytes += [0x65] + Array(String(10_000 + key).utf8) + [0x00] }
        let duration = try ContinuousClock().measure {
            guard case .map(let map) = try CBORDecoder.decode(bytes) else { throw CBORDecoder.DecodingError.truncated }
            #expect(map.pairs.count == count && map["59999"] == .unsigned(0))
        }
        // Quadratic, this takes minutes.
        #expect(duration < .seconds(20))
    }

    @Test func aMapKeepsItsOrderThroughChanges() {
        var map: CBORMap = ["a": 1, "b": 2, "c": 3, "b": 4]
        #expect(map == ["a": 1, "b": 4, "c": 3])
        map["a"] = nil
        map["d"] = .null
        map["c"] = .bool(true)
        map["missing"] = nil
        #expect(map.pairs.map(\.key) == ["b", "c", "d"])
        #expect(map["a"] == nil && map["b"] == 4 && map["c"] == .bool(true) && map["d"] == .null)
        #expect(map != ["c": .bool(true), "b": 4, "d": .null])
    }
}

extension CBORValue: ExpressibleByIntegerLiteral {
    /// An unsigned integer, for short tests.
    public init(integerLiteral value: UInt64) { self = .unsigned(value) }
}
