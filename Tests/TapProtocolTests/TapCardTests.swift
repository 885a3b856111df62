import Bitcoin
import ByteCodec
import SmartCard
import Testing

@testable import TapProtocol

@Suite struct TapCardTests {
    private let cvc: CVC
    private let card: TestCard
    private let digest = Digest(hashing: "tapkit".utf8)

    init() throws {
        cvc = try CVC(TestCard.cvc)
        card = try TestCard()
    }

    private func error(from body: () async throws -> some Any) async throws -> TapError {
        do { _ = try await body() } catch let error as TapError { return error }
        throw ReaderError(.timedOut, "Nothing was thrown.")
    }

    @Sendable private func sign(_ session: TapSession) throws -> CardSignature {
        try session.sign(digest: digest, subpath: DerivationPath(), cvc: cvc)
    }

    private var signature: ScriptedChannel.Answer { .computed { [card] in try card.signature(for: $0) } }

    @Test func selectsOnceAndHoldsATransactionForEachStep() async throws {
        let channel = ScriptedChannel([.map(card.status()), signature, .map(card.status()), signature])
        let tap = TapCard(reader: ScriptedReader(channel), randomness: ScriptedRandom())
        for _ in 0..<2 {
            _ = try await tap.perform { session in
                #expect(channel.openTransactions == 1)
                return try sign(session)
            }
            #expect(channel.openTransactions == 0)
        }
        #expect(channel.commandNames == ["select", "sign", "status", "sign"])
        #expect(try await tap.perform { $0.exchangeCount } == 4)
    }

    @Test func theTransactionEndsWhenAStepFails() async throws {
        struct Failure: Error {}
        let channel = ScriptedChannel([.map(card.status())])
        let tap = TapCard(reader: ScriptedReader(channel))
        await #expect(throws: Failure.self) { try await tap.perform { _ in throw Failure() } }
        #expect(channel.openTransactions == 0 && channel.disconnections == 0)
    }

    /// `check`, signed over this card nonce.
    private func check(over nonce: [UInt8], next: [UInt8] = TestCard.nonce(7)) -> ScriptedChannel.Answer {
        .computed { [card] in
            ["auth_sig": try card.proof(for: $0, cardNonce: nonce, by: card.key), "card_nonce": .bytes(next)]
        }
    }

    @Test func noCVCIsSpentOnAnUncheckedNonce() async throws {
        let channel = ScriptedChannel([
            .map(card.status()), .map(card.status(nonce: TestCard.nonce(6))),
            .computed { [card] in
                #expect(try card.cvc(in: $0, nonce: TestCard.nonce(6)) == TestCard.cvc)
                return try card.signature(for: $0)
            },
        ])
        let tap = TapCard(reader: ScriptedReader(channel))
        _ = try await tap.perform { $0.status }
        _ = try await tap.perform(sign)
        #expect(channel.commandNames == ["select", "status", "sign"])
    }

    @Test func checkMayBeTriedWithAnUncheckedNonce() async throws {
        let channel = ScriptedChannel([.map(card.status()), check(over: TestCard.firstNonce)])
        let tap = TapCard(reader: ScriptedReader(channel))
        _ = try await tap.perform { $0.status }
        _ = try await tap.perform { try $0.send(CheckCommand(slotKey: nil)) }
        #expect(channel.commandNames == ["select", "check"])
    }

    @Test func someoneElsesCommandBetweenTwoStepsIsNoCounterfeit() async throws {
        let channel = ScriptedChannel([
            .map(card.status()), check(over: TestCard.nonce(5)), .map(card.status(nonce: TestCard.nonce(6))),
            check(over: TestCard.nonce(6)),
        ])
        let tap = TapCard(reader: ScriptedReader(channel))
        _ = try await tap.perform { $0.status }
        _ = try await tap.perform { try $0.send(CheckCommand(slotKey: nil)) }
        #expect(channel.commandNames == ["select", "check", "status", "check"])
    }

    @Test func aCounterfeitIsNotTriedForEver() async throws {
        let channel = ScriptedChannel([
            .map(card.status()), check(over: TestCard.nonce(5)), .map(card.status(nonce: TestCard.nonce(6))),
            check(over: TestCard.nonce(5)),
        ])
        let tap = TapCard(reader: ScriptedReader(channel))
        _ = try await tap.perform { $0.status }
        let failure = try await error { try await tap.perform { try $0.send(CheckCommand(slotKey: nil)) } }
        #expect(failure.code == .badProof)
        #expect(channel.maps(of: "check").count == 2)
    }

    @Test func aWrongCVCIsNotTriedTwice() async throws {
        let channel = ScriptedChannel([
            .map(card.status()), .map(card.status()), .map(TestCard.refusal(401)), .map(card.status()),
        ])
        let tap = TapCard(reader: ScriptedReader(channel))
        _ = try await tap.perform { $0.status }
        #expect(try await error { try await tap.perform(sign) } == .wrongCVC(.atMost(2)))
        #expect(channel.maps(of: "sign").count == 1)
    }

    @Test func earlyCardsAreAskedForTheNonceInEachStep() async throws {
        let early = try TestCard(version: "0.9.0")
        let channel = ScriptedChannel([.map(early.status()), .map(early.status()), signature])
        let tap = TapCard(reader: ScriptedReader(channel))
        _ = try await tap.perform { $0.status }
        _ = try await tap.perform(sign)
        #expect(channel.commandNames == ["select", "status", "sign"])
    }

    @Test func afterAResetTheCardIsSelectedAgain() async throws {
        let channel = ScriptedChannel([.map(card.status()), .map(card.status(nonce: TestCard.nonce(3))), signature])
        let tap = TapCard(reader: ScriptedReader(channel))
        _ = try await tap.perform { $0.status }
        channel.beginFailures = [ReaderError(.cardReset, "reset")]
        _ = try await tap.perform(sign)
        #expect(channel.reconnections == 1)
        #expect(channel.commandNames == ["select", "select", "sign"])
    }

    @Test func aLostCardSurfacesAndComesBack() async throws {
        let first = ScriptedChannel([.map(card.status()), .failure(ReaderError(.cardRemoved, "gone"))])
        let second = ScriptedChannel([.map(card.status(nonce: TestCard.nonce(3))), signature])
        let tap = TapCard(reader: ScriptedReader(first, second))
        #expect(try await error { try await tap.perform(sign) } == .reader(ReaderError(.cardRemoved, "gone")))
        #expect(first.disconnections == 1)
        _ = try await tap.perform(sign)
        #expect(second.commandNames == ["select", "sign"])
        #expect(try await error { try await tap.perform(sign) }.code == .transportFailed)
        #expect(try await error { try await tap.perform(sign) }.code == .noCard)
    }

    @Test func aCardLostBetweenTwoStepsIsConnectedAnew() async throws {
        let first = ScriptedChannel([.map(card.status())])
        let second = ScriptedChannel([.map(card.status()), signature])
        let tap = TapCard(reader: ScriptedReader(first, second))
        _ = try await tap.perform { $0.status }
        first.beginFailures = [ReaderError(.cardRemoved, "gone")]
        _ = try await tap.perform(sign)
        #expect(first.disconnections == 1)
    }

    @Test func anotherCardIsRefusedUntilTheFirstIsForgotten() async throws {
        let other = try TestCard(2)
        let first = ScriptedChannel([.map(card.status()), .failure(ReaderError(.cardRemoved, "gone"))])
        let wrong = ScriptedChannel([.map(other.status())])
        let right = ScriptedChannel([.map(card.status()), signature])
        let third = ScriptedChannel([.map(other.status())])
        let tap = TapCard(reader: ScriptedReader(first, wrong, right, third))
        _ = try await error { try await tap.perform(sign) }
        let expected = TapError.anotherCard(
            expected: CardIdent(of: card.key.publicKey), found: CardIdent(of: other.key.publicKey))
        #expect(try await error { try await tap.perform(sign) } == expected)
        #expect(wrong.commandNames == ["select"] && wrong.disconnections == 1)
        _ = try await tap.perform(sign)
        await tap.disconnect()
        #expect(try await tap.perform { $0.status.publicKey } == other.key.publicKey)
    }

    @Test func waitingEndsAtItsTime() async throws {
        let late = ReaderError(.timedOut, "late")
        let reader = ScriptedReader()
        reader.waitFailures = [late, late, late]
        let tap = TapCard(reader: reader)
        #expect(try await error { try await tap.waitForCard(timeout: .milliseconds(4_200)) } == .reader(late))
        #expect(reader.waits == [.seconds(2), .seconds(2), .milliseconds(200)])
        reader.waitFailures = [late]
        try await tap.waitForCard()
        reader.waitFailures = [ReaderError(.readerGone, "unplugged")]
        #expect(try await error { try await tap.waitForCard() }.code == .readerGone)
    }

    @Test func aCancelledTaskStopsWaiting() async throws {
        let reader = ScriptedReader()
        reader.waitFailures = [ReaderError](repeating: ReaderError(.timedOut, "late"), count: 1_000_000)
        let tap = TapCard(reader: reader)
        let task = Task { try await tap.waitForCard() }
        task.cancel()
        await #expect(throws: CancellationError.self) { try await task.value }
    }

    @Test func stepsOfManyCallersAreNotInterleaved() async throws {
        let count = 20
        let step: [ScriptedChannel.Answer] = [.map(card.status()), signature, signature]
        let channel = ScriptedChannel([[ScriptedChannel.Answer]](repeating: step, count: count).flatMap(\.self))
        let tap = TapCard(reader: ScriptedReader(channel))
        try await withThrowingTaskGroup(of: Void.self) { group in
            for _ in 0..<count {
                group.addTask {
                    try await tap.perform { session in
                        let before = session.exchangeCount
                        _ = try sign(session)
                        _ = try sign(session)
                        #expect(session.exchangeCount == before + (before == 1 ? 2 : 3))
                    }
                }
            }
            try await group.waitForAll()
        }
        #expect(channel.requests.count == 3 * count)
    }
}
