import Bitcoin
import ByteCodec
import SmartCard
import Testing

@testable import TapProtocol

/// Refusals, and answers that are none.
@Suite struct RefusalTests {
    private let cvc: CVC
    private let card: TestCard
    private let digest = Digest(hashing: "tapkit".utf8)

    init() throws {
        cvc = try CVC(TestCard.cvc)
        card = try TestCard()
    }

    private func error(_ answers: ScriptedChannel.Answer...) throws -> TapError {
        let open = try OpenSession(answers: [.map(card.status())] + answers)
        return try tapError { try open.session.sign(digest: digest, subpath: DerivationPath(), cvc: cvc) }
    }

    @Test func wrongCVCsAreCounted() throws {
        let wrong = ScriptedChannel.Answer.map(TestCard.refusal(401, "bad auth"))
        var delayed = card
        delayed.authDelay = 15
        let open = try OpenSession(
            .map(card.status()), wrong, .map(card.status()), wrong, .map(card.status()), wrong,
            .map(delayed.status()))
        let sign = { try open.session.sign(digest: digest, subpath: DerivationPath(), cvc: cvc) }
        #expect(try tapError(from: sign) == .wrongCVC(.atMost(2)))
        #expect(try tapError(from: sign) == .wrongCVC(.atMost(1)))
        #expect(try tapError(from: sign) == .wrongCVC(.delayed(seconds: 15)))
        #expect(open.channel.maps(of: "sign").count == 3)
    }

    @Test func aRightCVCStartsTheCountAnew() throws {
        let wrong = ScriptedChannel.Answer.map(TestCard.refusal(401, "bad auth"))
        let open = try OpenSession(
            .map(card.status()), wrong, .map(card.status()), .computed { [card] in try card.signature(for: $0) }, wrong,
            .map(card.status(nonce: TestCard.nonce(2))))
        let sign = { try open.session.sign(digest: digest, subpath: DerivationPath(), cvc: cvc) }
        #expect(try tapError(from: sign) == .wrongCVC(.atMost(2)))
        _ = try sign()
        #expect(try tapError(from: sign) == .wrongCVC(.atMost(2)))
    }

    @Test func aWrongCVCStaysOneWhenTheCardIsGoneBehindIt() throws {
        let gone = ScriptedChannel.Answer.failure(ReaderError(.cardRemoved, "gone"))
        #expect(try error(.map(TestCard.refusal(401)), gone) == .wrongCVC(.atMost(2)))
    }

    @Test func theDelayIsNamed() throws {
        var delayed = card
        delayed.authDelay = 9
        #expect(
            try error(.map(TestCard.refusal(429, "rate limited")), .map(delayed.status())) == .rateLimited(seconds: 9))
    }

    /// Whoever answers in the card's place may refuse everything: each question is asked once.
    @Test func aDelayThatEvenTheStatusIsRefusedForEnds() throws {
        let delayed = ScriptedChannel.Answer.map(TestCard.refusal(429, "rate limited"))
        let open = try OpenSession(answers: [.map(card.status())] + Array(repeating: delayed, count: 8))
        let sign = { try open.session.sign(digest: digest, subpath: DerivationPath(), cvc: cvc) }
        #expect(
            try tapError(from: sign) == .card(CardError(number: 429, text: "rate limited"), command: "status"))
        #expect(open.channel.commandNames == ["select", "sign", "status"])
    }

    @Test func theOthersKeepTheirNumber() throws {
        #expect(try error(.map(TestCard.refusal(403))) == .cvcNeeded(command: "sign"))
        for number in [400, 404, 405, 406, 422, 425, 999] as [UInt64] {
            let expected = CardError(number: Int(number), text: "refused")
            #expect(try error(.map(TestCard.refusal(number))) == .card(expected, command: "sign"))
        }
    }

    /// A card may keep its reasons to itself.
    @Test func refusalsWithoutNumberOrText() throws {
        for (answer, number, text) in [
            (["code": .unsigned(406)], 406, "no reason given"), (["error": .text("no")], 0, "no"),
            (["error": .text("no"), "code": .negative(offset: 0)], -1, "no"),
            (["error": .text("no"), "code": .unsigned(.max)], Int.max, "no"),
            (["error": .text("no"), "code": .negative(offset: .max)], Int.min, "no"),
        ] as [(CBORMap, Int, String)] {
            #expect(try error(.map(answer)) == .card(CardError(number: number, text: text), command: "sign"))
        }
        #expect(try error(.map(["code": .unsigned(401)]), .map(card.status())) == .wrongCVC(.atMost(2)))
    }

    @Test func otherStatusWordsAreTransportFaults() throws {
        for word in [0x6F00, 0x6982, 0x6A82, 0x9001] as [UInt16] {
            #expect(try error(.word(word)) == .statusWord(StatusWord(rawValue: word), command: "sign"))
        }
    }

    @Test func somethingElseThanATapCard() throws {
        for word in [0x6A82, 0x6D00, 0x6E00] as [UInt16] {
            #expect(throws: TapError.notATapCard(StatusWord(rawValue: word))) { try OpenSession(.word(word)) }
        }
    }

    /// A right answer, damaged.
    private func damaged(_ damage: @escaping (inout CBORMap) throws -> Void) throws -> TapError {
        try error(
            .computed { [card] in
                var answer = try card.signature(for: $0)
                try damage(&answer)
                return answer
            })
    }

    @Test func fieldsOfWrongShape() throws {
        let damages: [(String, CBORValue?)] = [
            ("sig", nil), ("sig", .bytes([UInt8](repeating: 1, count: 63))), ("sig", .text("signature")),
            ("sig", .bytes([UInt8](repeating: 1, count: 65))), ("sig", .bytes([UInt8](repeating: 0xFF, count: 64))),
            ("pubkey", nil), ("pubkey", .bytes([UInt8](repeating: 4, count: 65))), ("pubkey", .null),
            ("pubkey", .bytes([UInt8](repeating: 5, count: 33))), ("slot", .unsigned(1)),
            ("slot", .text("0")), ("card_nonce", .bytes([1])), ("card_nonce", .array([])),
        ]
        for (field, value) in damages {
            guard case .badResponse("sign", field, _) = try damaged({ $0[field] = value }) else {
                Issue.record("\(field) \(String(describing: value))")
                continue
            }
        }
    }

    @Test func bytesOfWrongShape() throws {
        let right = CBOREncoder.encode(.map(card.status()))
        let wrong: [[UInt8]] = [
            [], right + right, right + [0x00], Array(right.dropLast()), [0xA1], [0x80], [0xF6], [0x01],
            [UInt8](repeating: 0xA1, count: 200), [0xA2, 0x61, 0x61, 0x01, 0x61, 0x61, 0x01], [0xA1, 0x61, 0xFF, 0x01],
            [UInt8](repeating: 0x81, count: 200), Array(right.prefix(1)), [0xBF], [0x7F, 0xFF],
        ]
        for bytes in wrong {
            guard case .badResponse("sign", "", let problem) = try error(.data(bytes)) else {
                Issue.record("\(bytes)")
                continue
            }
            #expect(!problem.isEmpty)
        }
    }

    @Test func extraKeysAndLongHeadsAreTaken() throws {
        let open = try OpenSession(
            .map(card.status()),
            .computed { [card] in
                var answer = try card.signature(for: $0)
                answer["future"] = .text("field")
                // The slot's zero in three bytes, as cards may write it.
                answer["slot"] = .other([0x19, 0x00, 0x00])
                return answer
            })
        _ = try open.session.sign(digest: digest, subpath: DerivationPath(), cvc: cvc)
    }

    @Test func missingCVCIsSaidBeforeTheCardIsAsked() throws {
        let open = try OpenSession(.map(card.status()))
        #expect(throws: TapError.cvcNeeded(command: "backup")) { try open.session.send(BackupCommand()) }
        #expect(open.channel.commandNames == ["select"])
    }
}
