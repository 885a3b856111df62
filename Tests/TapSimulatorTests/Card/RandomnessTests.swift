import ByteCodec
import TestSupport
import Testing

@testable import TapSimulator

@Suite struct RandomnessTests {
    /// A whole life of a card with a seed, every answer.
    private func life(seed: [UInt8]?) throws -> [CBORMap] {
        var options = SimulatedCardOptions(product: .tapsigner)
        options.seed = seed
        options.unluckyPercent = 30
        let app = try AppSide(options, seed: 7)
        var answers = [try app.sendWithCVC("new", ["chain_code": .bytes(LifeCycleTests.chainCode)])]
        for round in 0..<10 {
            answers.append(
                try app.sendWithCVC("sign", hidden: ["digest": [UInt8](repeating: UInt8(round), count: 32)]))
            try app.tap()
            answers.append(try app.send("nfc"))
            answers.append(try app.sendWithNonce("check"))
        }
        answers.append(try app.sendWithCVC("backup"))
        return answers
    }

    @Test func theSameSeedIsTheSameCard() throws {
        #expect(try life(seed: [1, 2, 3]) == life(seed: [1, 2, 3]))
        #expect(try life(seed: [1, 2, 3]) != life(seed: [1, 2, 4]))
        #expect(try life(seed: nil) != life(seed: nil))
    }

    @Test func everyPowerCycleHasItsOwnRandomness() {
        var seen: Set<[UInt8]> = []
        for session in 0..<50 as Range<UInt64> {
            var random = CardRandom(seed: [9], session: session)
            for _ in 0..<4 { #expect(seen.insert(random.bytes(16)).inserted) }
        }
    }

    @Test func theSeedIsNotShown() throws {
        var options = SimulatedCardOptions(product: .tapsigner)
        options.seed = Array("a seed that must not show".utf8)
        options.cvc = "271828"
        let card = try SimulatedCard(options, waitDuration: .zero)
        for text in ["\(card.record)", String(reflecting: card.record), "\(card)"] {
            #expect(!text.contains("271828") && !text.contains("seed that"))
        }
        var dumped = ""
        dump(card.record, to: &dumped)
        #expect(!dumped.contains("271828") && !dumped.contains("97, 32"))
    }

    /// With a fixed seed the shares are fixed, too: this is no statistical test that fails now and then.
    @Test(arguments: [(0, 0...0), (12, 90...150), (50, 450...550), (100, 1000...1000)])
    func theShareOfUnluckySignaturesIsAsAsked(percent: Int, expected: ClosedRange<Int>) throws {
        var options = SimulatedCardOptions(product: .satschip)
        options.seed = [5]
        options.unluckyPercent = percent
        let app = try AppSide(options, seed: 3)
        _ = try app.sendWithCVC("new", ["chain_code": .bytes(LifeCycleTests.chainCode)])
        var unlucky = 0
        for _ in 0..<1_000 {
            let answer = try app.sendWithCVC("sign", hidden: ["digest": LifeCycleTests.chainCode])
            if answer.errorCode == 205 { unlucky += 1 } else { #expect(try answer.content("sig")[0] < 0x80) }
        }
        #expect(expected.contains(unlucky))
    }
}
