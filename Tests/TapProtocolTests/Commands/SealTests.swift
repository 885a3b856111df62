import Bitcoin
import ByteCodec
import Testing

@testable import TapProtocol

/// `read` and `check` of a SATSCARD's active slot.
@Suite struct SealTests {
    /// `read`, `check` and no more: the certificates are known already.
    private func prove(
        _ card: TestSatscard, over content: [UInt8]
    ) throws -> ActiveSlot? {
        var answers: [ScriptedChannel.Answer] = [.map(try card.status())]
        if card.isUsed { answers.append(.computed { try card.read($0) }) }
        answers.append(
            .computed {
                try card.check($0, over: content, cardNonce: card.isUsed ? TestCard.nonce(2) : TestCard.firstNonce)
            })
        let open = try OpenSession(answers: answers)
        open.session.certifiedRoot = card.card.key.publicKey
        let slot = try open.session.proveCard(customRoots: [card.card.key.publicKey]).activeSlot
        #expect(open.channel.commandNames == ["select"] + (card.isUsed ? ["read"] : []) + ["check"])
        return slot
    }

    @Test func aSealedSlotsKeyIsSignedByTheCard() throws {
        for version in ["1.0.0", "1.0.2", "1.0.3", "2.0.0"] {
            for active in [0, 5, 9] {
                let card = try TestSatscard(active: active, version: version)
                let slot = try #require(try prove(card, over: card.key(active).publicKey.bytes))
                #expect(slot.seal == .proven && slot.slot.index == active)
                #expect(slot.publicKey == (try card.key(active).publicKey))
                #expect(slot.address.description == (try card.address(active)))
            }
        }
    }

    @Test func aSlotWhoseKeyIsNotSignedIsNotSealed() throws {
        for active in 0..<9 {
            try expectFailure(of: .slotKey) { try prove(try TestSatscard(active: active), over: []) }
        }
        // A full card of some versions: the last slot stays active, and is no sealed one.
        #expect(try prove(try TestSatscard(active: 9), over: [])?.seal == .absent)
    }

    @Test func anotherSlotsKeyIsNotThisOnes() throws {
        for active in [0, 9] {
            let card = try TestSatscard(active: active)
            try expectFailure(of: .cardKey) { try prove(card, over: try card.key(3).publicKey.bytes) }
        }
    }

    @Test func earlyCardsProveNoSeal() throws {
        for active in [0, 9] {
            let card = try TestSatscard(active: active, version: "0.9.0")
            #expect(try prove(card, over: [])?.seal == .unproven)
            // Whatever an early card means by it, it proves the card's own key, and no seal.
            #expect(try prove(card, over: try card.key(active).publicKey.bytes)?.seal == .unproven)
            try expectFailure(of: .cardKey) { try prove(card, over: try card.key(4).publicKey.bytes) }
        }
    }

    /// The maker's emulator signs zeros in the place of a slot's key. They prove the card's key, and no seal.
    @Test func zerosInPlaceOfAKeyProveTheCardAlone() throws {
        let zeros = [UInt8](repeating: 0, count: 33)
        for (active, version) in [(0, "0.9.0"), (3, "1.0.0"), (10, "1.0.3"), (2, "second edition")] {
            var card = try TestSatscard(active: active, version: version)
            card.isUsed = false
            #expect(try prove(card, over: zeros) == nil)
            for wrong in [zeros.dropLast(), zeros + [0], [1] + zeros.dropFirst()] {
                try expectFailure(of: .cardKey) { try prove(card, over: Array(wrong)) }
            }
        }
        for (version, isEarly) in [("0.9.0", true), ("1.0.3", false), ("second edition", false)] {
            let card = try TestSatscard(active: 3, version: version)
            if isEarly {
                #expect(try prove(card, over: zeros)?.seal == .unproven)
            } else {
                try expectFailure(of: .slotKey) { try prove(card, over: zeros) }
            }
            #expect(try prove(try TestSatscard(active: 9, version: version), over: zeros)?.seal != .proven)
        }
    }

    /// A version that cannot be read must prove what the newest does.
    @Test func anUnreadableVersionProvesTheSeal() throws {
        let card = try TestSatscard(active: 3, version: "second edition")
        #expect(try prove(card, over: try card.key(3).publicKey.bytes)?.seal == .proven)
        try expectFailure(of: .slotKey) { try prove(card, over: []) }
    }

    @Test func anUnusedSlotHasNoKeyToSign() throws {
        for (active, version) in [(0, "0.9.0"), (3, "1.0.0"), (10, "1.0.3")] {
            var card = try TestSatscard(active: active, version: version)
            card.isUsed = false
            #expect(try prove(card, over: []) == nil)
            // `status` hides a slot that the card signs for.
            try expectFailure(of: .cardKey) { try prove(card, over: try card.key(0).publicKey.bytes) }
        }
    }

    @Test func aKeyThatReadNamesForAnUnusedSlotFails() throws {
        for active in [2, 10] {
            var card = try TestSatscard(active: active)
            card.isUsed = false
            let open = try OpenSession(
                .map(try card.status()), .computed { [card] in try card.read($0, slot: active % 10, by: card.key(1)) })
            try expectFailure(of: .address) { try open.session.read() }
        }
    }

    /// A card that loses power before each `check`, and names these slots one after the other when it is selected again.
    private func prove(naming slots: [Int]) throws -> CardProof {
        let cards = try slots.map { try TestSatscard(active: $0) }
        var answers: [ScriptedChannel.Answer] = [.map(try cards[0].status())]
        for (card, next) in zip(cards, cards.dropFirst()) {
            let isFirst = answers.count == 1
            answers += [
                .computed { try card.read($0, cardNonce: isFirst ? TestCard.firstNonce : TestCard.nonce(2)) },
                .word(0x6D00), .map(try next.status()),
                .computed {
                    try next.check(
                        $0, over: card.key(card.active).publicKey.bytes, cardNonce: TestCard.firstNonce,
                        next: TestCard.nonce(2))
                },
            ]
        }
        let open = try OpenSession(answers: answers)
        open.session.certifiedRoot = cards[0].card.key.publicKey
        let proof = try open.session.proveCard(customRoots: [cards[0].card.key.publicKey])
        #expect(open.channel.answers.isEmpty)
        return proof
    }

    /// One slot was opened meanwhile: what is proven is the next one. When each answer is about another slot, the key that
    /// was proven is that of a slot that the card does not name any more, and would be shown as the active one's.
    @Test func slotsThatChangeWithEveryAnswerAreNotProven() throws {
        let slot = try #require(try prove(naming: [3, 4, 4]).activeSlot)
        #expect(slot.slot.index == 4 && slot.seal == .proven)
        #expect(slot.address.description == (try TestSatscard(active: 4).address(4)))
        try expectFailure(of: .slotState) { _ = try prove(naming: [3, 4, 5]) }
    }

    @Test func readIsAboutTheActiveSlot() throws {
        let card = try TestSatscard(active: 4)
        let wrong: [(Proof, (CBORMap) throws -> CBORMap)] = [
            (.readSignature, { try card.read($0, slot: 0) }), (.readSignature, { try card.read($0, slot: 5) }),
            (.readSignature, { try card.read($0, cardNonce: TestCard.nonce(9)) }),
            (.address, { try card.read($0, by: card.key(5)) }), (.address, { try card.read($0, by: card.card.key) }),
        ]
        for (proof, answer) in wrong {
            let open = try OpenSession(.map(try card.status()), .computed(answer))
            try expectFailure(of: proof) { try open.session.read() }
        }
        let known = try OpenSession(.map(try card.status()), .computed { try card.read($0) })
        known.session.knownKeys.learn(try card.key(5).publicKey, of: SlotNumber(index: 4))
        try expectFailure(of: .slotKey) { try known.session.read() }
    }
}
