import ByteCodec
import TestSupport
import Testing

@testable import TapSimulator

/// How long cards take: kept in the file, owed by the commands that real cards are slow at.
@Suite struct DelayTests {
    @Test func theFileSaysHowLong() throws {
        let folder = try TemporaryFolder()
        let path = folder.path("card.json")
        var options = SimulatedCardOptions(product: .tapsigner)
        options.delays = CardDelays(waitMilliseconds: 17, signMilliseconds: 290)
        _ = try SimulatedCardRecord(creating: options, at: path)
        #expect(try SimulatedCardRecord(path: path).delays == options.delays)
        do {
            let card = try SimulatedCard(path: path)
            #expect(card.waitDuration == .milliseconds(17) && card.signDuration == .milliseconds(290))
        }
        let card = try SimulatedCard(path: path, waitDuration: .zero, signDuration: .milliseconds(1))
        #expect(card.waitDuration == .zero && card.signDuration == .milliseconds(1))
    }

    @Test func aCardIsSlowAtWaitOnlyIfNothingIsSaid() throws {
        let card = try SimulatedCard(SimulatedCardOptions(product: .tapsigner))
        #expect(card.waitDuration == .seconds(1) && card.signDuration == .zero)
    }

    @Test func impossibleDelaysAreRefused() {
        for (wait, sign) in [(-1, 0), (0, -1), (60_001, 0), (0, 60_001)] {
            var options = SimulatedCardOptions(product: .satscard)
            options.delays = CardDelays(waitMilliseconds: wait, signMilliseconds: sign)
            #expect(throws: SimulatedCardError.self) { try SimulatedCard(options) }
        }
    }

    @Test(arguments: PublishedCommandsTests.Model.all) func signaturesAndWaitsAreOwed(
        model: PublishedCommandsTests.Model
    ) throws {
        var core = CardCore(state: try model.app().card.state)
        core.powerOn()
        let nonce = CBORValue.bytes([UInt8](0..<16))
        let owing: [(CBORMap, Bool)] = [
            (["cmd": .text("status")], false), (["cmd": .text("certs")], false), (["cmd": .text("wait")], false),
            (["cmd": .text("nfc")], true), (["cmd": .text("check"), "nonce": nonce], true),
            (["cmd": .text("check")], false),
        ]
        for (request, owes) in owing {
            core.owesSignature = false
            core.owedWaits = 0
            _ = try core.run(request)
            #expect(core.owesSignature == owes, "\(request)")
            #expect(core.owedWaits == (request["cmd"] == .text("wait") ? 1 : 0))
        }
    }

    /// A card that finds no low R has signed as long as one that does.
    @Test func anUnluckyNumberTakesAsLong() throws {
        for row in try VectorCard.rows("sign_command") {
            var core = try VectorCard.core(
                try VectorCard.tapsigner(), nonce: try row.bytes("card_nonce"), unluckyPercent: 100)
            #expect(try core.run(try row.bytes("request_cbor")).errorCode == 205)
            #expect(core.owesSignature)
        }
    }

    @Test func anAnswerIsHeldBack() throws {
        var options = SimulatedCardOptions(product: .tapsigner)
        options.delays = CardDelays(waitMilliseconds: 30, signMilliseconds: 60)
        let app = try AppSide(SimulatedCard(options))
        let clock = ContinuousClock()
        #expect(try clock.measure { _ = try app.send("wait") } >= .milliseconds(30))
        #expect(try clock.measure { _ = try app.send("nfc") } >= .milliseconds(60))
    }
}
