import Bitcoin
import ByteCodec
import SmartCard
import Testing

@testable import TapProtocol

/// When a command is sent again, how often, and with what.
@Suite struct RepetitionTests {
    private let cvc: CVC
    private let card: TestCard
    private let early: TestCard
    private let digest = Digest(hashing: "tapkit".utf8)

    init() throws {
        cvc = try CVC(TestCard.cvc)
        card = try TestCard()
        early = try TestCard(version: "0.9.0")
    }

    private func sign(_ open: OpenSession) throws -> CardSignature {
        try open.session.sign(digest: digest, subpath: DerivationPath(), cvc: cvc)
    }

    private var unlucky: ScriptedChannel.Answer { .map(TestCard.refusal(205, "unlucky number")) }

    @Test(arguments: [1, 10])
    func repeatsAnUnluckyNumberAsItIs(count: Int) throws {
        let log = TraceLog()
        var answers: [ScriptedChannel.Answer] = [.map(card.status())]
        answers += [ScriptedChannel.Answer](repeating: unlucky, count: count)
        answers.append(
            .computed { [card] in
                #expect(try card.cvc(in: $0, nonce: TestCard.firstNonce) == TestCard.cvc)
                return try card.signature(for: $0)
            })
        let open = try OpenSession(answers: answers, trace: log.record)
        _ = try sign(open)
        #expect(open.channel.commandNames == ["select"] + [String](repeating: "sign", count: count + 1))
        #expect(open.session.exchangeCount == count + 2)
        let requests = open.channel.maps(of: "sign")
        #expect(Set(requests.map { String(describing: $0["epubkey"]) }).count == count + 1)
        for request in requests { #expect(try card.revealedDigest(in: request) == digest) }
        let repeats = log.events.filter { if case .repeated("sign", _) = $0 { true } else { false } }
        #expect(repeats.count == count)
    }

    @Test func givesUpAfterTenRepeats() throws {
        let answers = [.map(card.status())] + [ScriptedChannel.Answer](repeating: unlucky, count: 1_000)
        let open = try OpenSession(answers: answers)
        let error = try tapError { try sign(open) }
        #expect(error == .card(CardError(number: 205, text: "unlucky number"), command: "sign"))
        #expect(error.code == .unluckyNumber)
        #expect(open.channel.requests.count == 12)
        // The nonce still holds: the next command works without asking for it.
        open.channel.answers = [.computed { [card] in try card.signature(for: $0) }]
        _ = try sign(open)
    }

    @Test func earlyCardsAreAskedForTheNonceAfterARefusal() throws {
        let open = try OpenSession(
            .map(early.status()), unlucky, .map(early.status(nonce: TestCard.nonce(5))), unlucky,
            .map(early.status(nonce: TestCard.nonce(6))),
            .computed { [early] in
                #expect(try early.cvc(in: $0, nonce: TestCard.nonce(6)) == TestCard.cvc)
                return try early.signature(for: $0)
            })
        _ = try sign(open)
        #expect(open.channel.commandNames == ["select", "sign", "status", "sign", "status", "sign"])
    }

    @Test func earlyCardsAreAskedForTheNonceAfterAnAnswerWithoutOne() throws {
        for (card, names) in [
            (card, ["select", "nfc", "sign"]), (early, ["select", "nfc", "status", "sign"]),
        ] {
            var answers: [ScriptedChannel.Answer] = [
                .map(card.status()), .map(["url": .text("https://tapsigner.com/start#")]),
            ]
            if names.count == 4 { answers.append(.map(card.status(nonce: TestCard.nonce(5)))) }
            answers.append(.computed { try card.signature(for: $0) })
            let open = try OpenSession(answers: answers)
            _ = try open.session.tapURL()
            _ = try sign(open)
            #expect(open.channel.commandNames == names)
        }
    }

    @Test func aNonceInAnAnswerThatNeedNotHaveOneCounts() throws {
        let open = try OpenSession(
            .map(early.status()),
            .map(["url": .text("https://tapsigner.com/start#"), "card_nonce": .bytes(TestCard.nonce(5))]),
            .computed { [early] in
                #expect(try early.cvc(in: $0, nonce: TestCard.nonce(5)) == TestCard.cvc)
                return try early.signature(for: $0)
            })
        _ = try open.session.tapURL()
        _ = try sign(open)
        #expect(open.channel.commandNames == ["select", "nfc", "sign"])
    }

    @Test func aWeakNonceIsReplacedThreeTimes() throws {
        let weak = ScriptedChannel.Answer.map(TestCard.refusal(417, "weak nonce"))
        let answers = [.map(card.status())] + [ScriptedChannel.Answer](repeating: weak, count: 100)
        let open = try OpenSession(answers: answers)
        #expect(throws: TapError.card(CardError(number: 417, text: "weak nonce"), command: "check")) {
            try open.session.proveCard(customRoots: []).verdict
        }
        let nonces = open.channel.maps(of: "check").map { String(describing: $0["nonce"]) }
        #expect(nonces.count == 4 && Set(nonces).count == 4)
    }

    @Test func aRandomSourceThatRepeatsItselfIsNotUsed() throws {
        let open = try OpenSession(.map(card.status()), random: StuckRandom())
        #expect(throws: TapError.weakRandomness) { try open.session.proveCard(customRoots: []).verdict }
        #expect(open.channel.commandNames == ["select"])
    }

    @Test func aFailedProofLeavesNoNonceBehind() throws {
        let open = try OpenSession(
            .map(card.status()),
            .computed { [card] in
                try card.signature(for: $0, next: TestCard.nonce(7), key: card.key) { _, _ in
                    try card.privateKey(at: TestCard.path).signGrindingLowR(digest: Digest(hashing: [1])).compact
                }
            },
            .map(card.status(nonce: TestCard.nonce(8))),
            .computed { [card] in
                #expect(try card.cvc(in: $0, nonce: TestCard.nonce(8)) == TestCard.cvc)
                return try card.signature(for: $0)
            })
        try expectFailure(of: .signature) { try sign(open) }
        _ = try sign(open)
        #expect(open.channel.commandNames == ["select", "sign", "status", "sign"])
    }

    @Test func afterALossOfPowerTheCardIsSelectedAgain() throws {
        let open = try OpenSession(
            .map(card.status()), .word(0x6D00), .map(card.status(nonce: TestCard.nonce(4))),
            .computed { [card] in
                #expect(try card.cvc(in: $0, nonce: TestCard.nonce(4)) == TestCard.cvc)
                return try card.signature(for: $0)
            })
        _ = try sign(open)
        #expect(open.channel.commandNames == ["select", "sign", "select", "sign"])
    }

    /// An answer that was cut short may end in 6D00, too; but that card has done what it was told.
    @Test func anAnswerCutShortAt6D00IsNoLossOfPower() throws {
        let open = try OpenSession(.map(card.status()), .bytes([0xA1, 0x63, 0x73, 0x69, 0x67, 0x58, 0x40, 0x6D, 0x00]))
        #expect(throws: TapError.statusWord(.instructionNotSupported, command: "sign")) { try sign(open) }
        #expect(open.channel.commandNames == ["select", "sign"])
    }

    @Test func aCardThatKeepsLosingPowerIsGivenUp() throws {
        let open = try OpenSession(.map(card.status()), .word(0x6D00), .map(card.status()), .word(0x6D00))
        #expect(throws: TapError.statusWord(.instructionNotSupported, command: "sign")) { try sign(open) }
    }

    @Test func anotherCardAfterALossOfPowerIsRefused() throws {
        let other = try TestCard(2)
        let open = try OpenSession(.map(card.status()), .word(0x6D00), .map(other.status()))
        let error = try tapError { try sign(open) }
        #expect(
            error
                == .anotherCard(
                    expected: CardIdent(of: card.key.publicKey), found: CardIdent(of: other.key.publicKey)))
        #expect(open.channel.commandNames == ["select", "sign", "select"])
    }
}
