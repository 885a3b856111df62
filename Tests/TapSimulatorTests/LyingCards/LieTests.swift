import ByteCodec
import LyingCards
import Testing

@testable import TapSimulator

/// Each lie, told about one small answer.
@Suite struct LieTests {
    private static let honest: CBORMap = [
        "slot": .unsigned(3), "sig": .bytes([0x80, 0x01]), "url": .text("abc"), "sealed": .bool(true),
        "slots": .array([.unsigned(0), .unsigned(10)]),
    ]
    private static let data = CBOREncoder.encode(.map(honest))
    private static let answer = data + [0x90, 0x00]

    private func tell(_ lie: Lie, _ answer: [UInt8] = answer) -> [UInt8] {
        lie.tell(answer, LiarContext(exchange: CardExchange(number: 1, command: [])))
    }

    private func map(_ lie: Lie) throws -> CBORMap {
        let told = tell(lie)
        #expect(told.suffix(2) == [0x90, 0x00])
        guard case .map(let map) = try CBORDecoder.decode(told.dropLast(2)) else { return [:] }
        return map
    }

    private func honest(_ change: (inout CBORMap) -> Void) -> CBORMap {
        var map = Self.honest
        change(&map)
        return map
    }

    @Test func fields() throws {
        #expect(tell(.nothing) == Self.answer)
        #expect(try map(.set("slot", .unsigned(70_000))) == honest { $0["slot"] = .unsigned(70_000) })
        #expect(try map(.set("sig", .text("x"))) == honest { $0["sig"] = .text("x") })
        #expect(try map(.remove("url")) == honest { $0["url"] = nil })
        #expect(try map(.add("x", .null)) == honest { $0["x"] = .null })
        #expect(
            try map(.change("slot") { $0 == .unsigned(3) ? .unsigned(4) : nil }) == honest { $0["slot"] = .unsigned(4) }
        )
        #expect(try map(.change("slot") { _ in nil }) == honest { $0["slot"] = nil })
        #expect(try map(.rename("url", to: "uri")).pairs.map(\.key) == ["slot", "sig", "uri", "sealed", "slots"])
        #expect(try map(.rename("url", to: "uri"))["uri"] == .text("abc"))
        #expect(
            try map(.swap("slots", "sig"))
                == honest {
                    $0["sig"] = .array([.unsigned(0), .unsigned(10)])
                    $0["slots"] = .bytes([0x80, 0x01])
                })
        #expect(try map(.swap("sig", "slots")) == map(.swap("slots", "sig")))
        #expect(try map(.reverse).pairs.map(\.key) == ["slots", "sealed", "url", "sig", "slot"])
        #expect(try map(.reverse)["sig"] == .bytes([0x80, 0x01]))
    }

    @Test func aFieldTwice() {
        for lie in [Lie.duplicate("slot"), .duplicate("slot", as: .unsigned(4)), .add("slot", .unsigned(4))] {
            let told = tell(lie)
            #expect(throws: CBORDecoder.DecodingError.duplicateKey("slot")) {
                try CBORDecoder.decode(told.dropLast(2))
            }
            #expect(AnswerAnatomy(told)?.fields.count == 6)
        }
        #expect(tell(.duplicate("slot", as: .unsigned(4))).dropLast(2).last == 4)
    }

    @Test func manyFieldsNeedALongerHead() throws {
        let lie = (0..<30).reduce(Lie.nothing) { $0.then(.add("x\($1)", .unsigned(UInt64($1)))) }
        #expect(try map(lie).pairs.count == 35)
        let less = (0..<30).reduce(lie) { $0.then(.remove("x\($1)")) }
        #expect(try map(less) == Self.honest)
    }

    @Test func lackingFieldsChangeNothing() {
        let lies: [Lie] = [
            .set("no", .null), .remove("no"), .rename("no", to: "slot"), .duplicate("no"), .swap("no", "slot"),
            .swap("slot", "no"), .change("no") { _ in nil }, .flip("no", bit: 0), .flip("sig", bit: 16),
            .retype("no", as: .text), .notUTF8("no"), .notUTF8("sig"), .xor(at: 10_000, with: 1), .flip(bit: 80_000),
            .setByte(at: 9_999, to: 0), .replay(), .replay(firstOf: "read"), .stale,
        ]
        for lie in lies { #expect(tell(lie) == Self.answer, "\(lie)") }
        // Nor do lies about fields in what has none.
        for other in [[], [0x90], [0x6F, 0x00], [0x80, 0x90, 0x00]] as [[UInt8]] {
            for lie in [Lie.set("slot", .null), .add("x", .null), .remove("slot"), .reverse, .countTooGreat] {
                #expect(tell(lie, other) == other, "\(lie)")
            }
        }
    }

    @Test(arguments: Lie.ValueType.allCases) func types(type: Lie.ValueType) throws {
        for name in Self.honest.pairs.map(\.key) {
            let before = try #require(Self.honest[name])
            let after = try #require(try map(.retype(name, as: type))[name], "\(name) \(type)")
            let major = CBOREncoder.encode(after)[0] >> 5
            let expected: [Lie.ValueType: UInt8] = [
                .unsigned: 0, .negative: 1, .bytes: 2, .text: 3, .array: 4, .map: 5, .tagged: 6, .bool: 7, .null: 7,
                .float: 7,
            ]
            #expect(major == expected[type])
            let isSameType = CBOREncoder.encode(before)[0] >> 5 == major
            #expect(isSameType || after != before)
        }
        #expect(try map(.retype("sig", as: .text))["sig"] == .text("8001"))
        #expect(try map(.retype("sealed", as: .bool))["sealed"] == .bool(false))
    }

    @Test func bytesAndBits() throws {
        for bit in 0..<(8 * Self.answer.count) {
            let told = tell(.flip(bit: bit))
            let different = Self.answer.indices.filter { told[$0] != Self.answer[$0] }
            #expect(different == [bit / 8])
            #expect((told[bit / 8] ^ Self.answer[bit / 8]) == 1 << UInt8(bit % 8))
        }
        #expect(try map(.flip("sig", bit: 15)) == honest { $0["sig"] = .bytes([0x80, 0x81]) })
        #expect(try map(.xor("url", at: 2, with: 1)) == honest { $0["url"] = .text("abb") })
        #expect(tell(.setByte(at: 0, to: 7)) == [7] + Self.answer.dropFirst())
        #expect(tell(.xor(at: 0, with: 0xFF))[0] == ~Self.answer[0])
    }

    @Test func ends() {
        for count in 0...(Self.data.count + 1) {
            #expect(tell(.cut(to: count)) == Self.data.prefix(count) + [0x90, 0x00])
            #expect(tell(.cutOff(after: count)) == Array(Self.answer.prefix(count)))
        }
        #expect(tell(.append([1, 2])) == Self.data + [1, 2, 0x90, 0x00])
        #expect(tell(.trail([1, 2])) == Self.answer + [1, 2])
        #expect(tell(.doubleData) == Self.data + Self.answer)
        #expect(tell(.double) == Self.answer + Self.answer)
        #expect(tell(.statusWord(0x6982)) == Self.data + [0x69, 0x82])
        #expect(tell(.onlyStatusWord(0x61FF)) == [0x61, 0xFF])
        #expect(tell(.answer([9])) == [9])
        #expect(tell(.empty).isEmpty)
        #expect(tell(.remove("url").then(.statusWord(0))).suffix(2) == [0, 0])
    }

    @Test func errors() throws {
        for fault in CardFault.all { #expect(try map(.error(fault.code)) == fault.answer) }
        #expect(try map(.error(999)).errorCode == 999)
        #expect(try map(.error(205, "x\u{1B}[31m"))["error"] == .text("x\u{1B}[31m"))
    }

    @Test func otherEncodingsOfTheSame() throws {
        for width in Lie.HeadWidth.allCases {
            let lie = Lie.longHeads(width)
            #expect(try map(lie) == Self.honest)
            #expect(tell(lie).count > Self.answer.count)
            #expect(tell(lie)[0] == 0xA0 | width.rawValue)
        }
        #expect(try map(.indefiniteLengths) == Self.honest)
        #expect(tell(.indefiniteLengths)[0] == 0xBF)
        let long = CBOREncoder.encode(.map(["sig": .bytes([UInt8](0..<64)), "n": .unsigned(1 << 40)]))
        for lie in [Lie.indefiniteLengths, .longHeads(.one), .longHeads(.eight)] {
            let told = tell(lie, long + [0x90, 0x00]).dropLast(2)
            #expect(try CBORDecoder.decode(Array(told)) == CBORDecoder.decode(long))
        }
        let wrong: [Lie] = [.endless, .countTooGreat, .notUTF8("url")]
        for lie in wrong {
            #expect(throws: CBORDecoder.DecodingError.self) { try CBORDecoder.decode(tell(lie).dropLast(2)) }
        }
        #expect(throws: CBORDecoder.DecodingError.tooDeep) { try CBORDecoder.decode(tell(.nested(40)).dropLast(2)) }
        #expect(try CBORDecoder.decode(tell(.nested(1)).dropLast(2)) == .array([.map(Self.honest)]))
        #expect(tell(.tagged).starts(with: [0xD9, 0xD9, 0xF7]))
    }
}
