import ByteCodec
import LyingCards
import Testing

@testable import TapSimulator

@Suite struct AnswerAnatomyTests {
    /// Every answer of every command, product and version.
    @Test(arguments: PublishedCommandsTests.Model.all) func everyAnswerComesApart(
        model: PublishedCommandsTests.Model
    ) throws {
        let bench = try ReaderBench(model)
        try bench.playEverything()
        let answers = bench.liar.exchanges
        let names = Set(answers.map(\.name))
        #expect(names.isSuperset(of: ["select", "status", "certs", "check", "nfc", "read", "derive", "sign", "wait"]))
        for exchange in answers {
            let answer = exchange.answer
            let anatomy = try #require(AnswerAnatomy(answer), "\(exchange.name)")
            #expect(AnswerAnatomy(answer.dropLast(2)) == anatomy)
            guard case .map(let map) = try CBORDecoder.decode(answer.dropLast(2)) else {
                Issue.record("\(exchange.name): no map")
                continue
            }
            #expect(anatomy.map == 0..<(answer.count - 2))
            #expect(anatomy.fields.map(\.name) == map.pairs.map(\.key))
            // Head and pairs without a gap.
            var position = anatomy.head.upperBound
            for (field, (key, value)) in zip(anatomy.fields, map.pairs) {
                #expect(field.pair.lowerBound == position)
                #expect(field.key.lowerBound == position && field.key.upperBound == field.value.lowerBound)
                #expect(field.pair.upperBound == field.value.upperBound)
                #expect(Array(answer[field.key]) == CBOREncoder.encode(.text(key)))
                #expect(Array(answer[field.value]) == CBOREncoder.encode(value))
                let content = Array(answer[field.content])
                switch value {
                case .bytes(let bytes): #expect(content == bytes)
                case .text(let text): #expect(content == Array(text.utf8))
                default: #expect(field.content == field.value)
                }
                #expect(anatomy.field(at: position) == field)
                #expect(anatomy.field(at: field.pair.upperBound - 1) == field)
                position = field.pair.upperBound
            }
            #expect(position == anatomy.map.upperBound)
            #expect(anatomy.field(at: 0) == nil && anatomy.field(at: position) == nil)
        }
    }

    @Test func longHeadsAreFollowed() throws {
        let answer: [UInt8] = [0xB8, 0x02, 0x78, 0x01, 0x61, 0x19, 0x00, 0x05, 0x61, 0x62, 0x59, 0x00, 0x01, 0x07]
        let anatomy = try #require(AnswerAnatomy(answer))
        #expect(anatomy.head == 0..<2)
        #expect(anatomy.field("a")?.value == 5..<8)
        #expect(anatomy.field("b")?.content == 13..<14)
        #expect(anatomy.field("c") == nil)
    }

    @Test func whatIsNoMapHasNoAnatomy() {
        for bytes in [[], [0x80], [0xA1], [0xA1, 0x01, 0x02], [0xBF, 0xFF], [0x90, 0x00], [0xA1, 0x61, 0x61]]
            as [[UInt8]]
        {
            #expect(AnswerAnatomy(bytes) == nil, "\(bytes)")
        }
    }
}
