import ByteCodec
import LyingCards
import Testing

@testable import TapSimulator

/// A liar on a reader.
@Suite struct LiarTests {
    private let nonce = CBORValue.bytes([UInt8](0..<16))
    private let gone = Lie.onlyStatusWord(0x6F00)

    private func isLie(_ answer: [UInt8]) -> Bool { answer == [0x6F, 0x00] }

    @Test func withoutRulesItListens() throws {
        let bench = try ReaderBench(Liar())
        let status = try bench.send("status")
        let exchanges = bench.liar.exchanges
        #expect(exchanges.map(\.name) == ["select", "status"])
        #expect(exchanges[1].answer == status && exchanges[1].told == status)
        #expect(bench.liar.lies == 0 && !exchanges.contains(where: \.isLie))
    }

    @Test func targetsAndTurns() throws {
        let turns: [(Liar.Turn, [Bool])] = [
            (.always, [true, true, true, true]), (.nth(2), [false, true, false, false]),
            (.from(3), [false, false, true, true]), (.first(1), [true, false, false, false]),
        ]
        for (turn, expected) in turns {
            let bench = try ReaderBench(Liar(when: .command("certs"), turn, tell: gone))
            for isLied in expected {
                #expect(try isLie(bench.send("certs")) == isLied)
                #expect(try !isLie(bench.send("status")))
            }
            #expect(bench.liar.lies == expected.count { $0 })
        }
        var bench = try ReaderBench(Liar(when: .exchange(3), tell: gone))
        #expect(
            try [bench.send("certs"), bench.send("certs"), bench.send("certs")].map(isLie) == [false, true, false])
        bench = try ReaderBench(Liar(when: .all, .from(2), tell: gone))
        #expect(try [bench.send("certs"), bench.send("wait")].map(isLie) == [true, true])
        bench = try ReaderBench(Liar(when: .status, .nth(2), tell: gone))
        #expect(try [bench.send("status"), bench.send("status")].map(isLie) == [true, false])
    }

    @Test func rulesAddUp() throws {
        let bench = try ReaderBench(
            Liar([
                Liar.Rule(when: .command("status"), tell: .remove("ver")),
                Liar.Rule(when: .all, .from(2), tell: .statusWord(0x6100)),
            ]))
        let told = try bench.send("status")
        #expect(told.suffix(2) == [0x61, 0x00])
        #expect(AnswerAnatomy(told)?.field("ver") == nil && AnswerAnatomy(told)?.field("birth") != nil)
        #expect(bench.liar.lies == 1)
    }

    @Test func theCardNeedNotHearOfIt() throws {
        for reaches in [true, false] {
            let liar = Liar(when: .command("check"), tell: .error(205), reachesCard: reaches)
            let bench = try ReaderBench(liar)
            let before = try bench.content("card_nonce", try bench.send("status"))
            #expect(try bench.send(["cmd": .text("check"), "nonce": nonce]) == Lie.error(205).tell([], context()))
            #expect((liar.exchanges.last?.answer == [0x90, 0x00]) == !reaches)
            // Whether the card still waits for the same nonce is whether it acted.
            #expect((try nonceInForce(bench) == before) == !reaches)
        }
    }

    private func context() -> LiarContext { LiarContext(exchange: CardExchange(number: 1, command: [])) }

    private func nonceInForce(_ bench: ReaderBench) throws -> [UInt8] {
        var core = CardCore(state: bench.card.state)
        core.power = bench.card.powerState
        return core.nonce
    }

    @Test func replays() throws {
        let bench = try ReaderBench(
            Liar([
                Liar.Rule(when: .command("status"), .nth(3), tell: .replay()),
                Liar.Rule(when: .command("status"), .nth(4), tell: .replay(back: 3)),
                Liar.Rule(when: .command("nfc"), tell: .stale),
                Liar.Rule(when: .command("certs"), tell: .replay(firstOf: "select")),
                Liar.Rule(when: .command("status"), .nth(5), tell: .replay(back: 9)),
            ]))
        let answers = try (0..<5).map { _ in try bench.send("status") }
        #expect(answers[0] != answers[1])
        #expect(answers[2] == answers[1])
        #expect(answers[3] == answers[0])
        #expect(!answers[..<4].contains(answers[4]))
        #expect(try bench.send("nfc") == answers[4])
        #expect(try bench.send("certs") == bench.liar.exchanges[0].answer)
        #expect(bench.liar.lies == 4)
    }

    @Test func anotherCardAnswers() throws {
        let other = try SimulatedCard(SimulatedCardOptions(product: .tapsigner))
        let bench = try ReaderBench(Liar(when: .command("status"), tell: .otherCard(other)))
        let told = try bench.send("status")
        #expect(try bench.content("pubkey", told) == other.state.cardPrivateKey().publicKey.bytes)
        let mixed = try ReaderBench(Liar(when: .status, tell: .field("pubkey", ofOtherCard: other)))
        let answer = try mixed.send("status")
        #expect(try mixed.content("pubkey", answer) == other.state.cardPrivateKey().publicKey.bytes)
        let honest = try #require(mixed.liar.exchanges.last?.answer)
        #expect(try mixed.content("card_nonce", answer) == mixed.content("card_nonce", honest))
        #expect(mixed.liar.lies == 2)
    }

    @Test func late() throws {
        let bench = try ReaderBench(Liar(when: .command("status"), tell: .delayed(.milliseconds(25))))
        #expect(try ContinuousClock().measure { _ = try bench.send("status") } >= .milliseconds(25))
        #expect(bench.liar.lies == 0)
    }

    @Test func errorsWithoutEnd() throws {
        let bench = try ReaderBench(Liar(when: .command("check"), tell: .error(417), reachesCard: false))
        for _ in 0..<50 {
            let told = try bench.send(["cmd": .text("check"), "nonce": nonce])
            guard case .map(let map) = try CBORDecoder.decode(told.dropLast(2)) else { throw CancellationError() }
            #expect(map.errorCode == 417)
        }
        #expect(bench.liar.lies == 50)
    }
}
