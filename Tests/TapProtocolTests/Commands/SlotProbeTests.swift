import Bitcoin
import ByteCodec
import Testing

@testable import TapProtocol

/// `sign` as the proof of an opened slot's key.
@Suite struct SlotProbeTests {
    private let cvc: CVC
    private let card: TestSatscard
    private let slot = SlotNumber(index: 1)

    init() throws {
        cvc = try CVC(TestCard.cvc)
        card = try TestSatscard(active: 2)
    }

    private func address(_ slot: Int) throws -> Address { try Address(parsing: card.address(slot), network: .main) }

    private func right(_ request: CBORMap) throws -> CBORMap { try card.signature(request, slot: 1) }

    private func probe(
        at address: Address? = nil, knowing known: PublicKey? = nil, _ answer: @escaping (CBORMap) throws -> CBORMap
    ) throws {
        let open = try OpenSession(.map(try card.status()), .computed(answer))
        if let known { open.session.knownKeys.learn(known, of: slot) }
        try open.session.probe(slot, at: address ?? self.address(1), cvc: cvc)
    }

    @Test func theRightAnswerPasses() throws {
        let open = try OpenSession(.map(try card.status()), .computed(right))
        try open.session.probe(slot, at: address(1), cvc: cvc)
        #expect(try open.session.knownKeys.slotKey(slot) == card.key(1).publicKey)
        #expect(open.session.hasAccepted(cvc) && open.channel.commandNames == ["select", "sign"])
        let request = try #require(open.channel.maps(of: "sign").first)
        // Never `subpath`: an early card would take itself for tampered with.
        #expect(Set(request.pairs.map(\.key)) == ["slot", "digest", "epubkey", "xcvc", "cmd"])
        #expect(request["slot"] == .unsigned(1))
        #expect(try card.card.cvc(in: request, nonce: TestCard.firstNonce) == TestCard.cvc)
        try probe(knowing: card.key(1).publicKey, right)
    }

    @Test func highRIsTaken() throws {
        try probe { request in
            try card.signature(request, slot: 1) { _, digest in try card.key(1).signatureWithHighR(digest) }
        }
    }

    @Test func aSignatureThatIsNotByTheNamedKeyOverOurBytesFails() throws {
        try expectFailure(of: .openedSlot) {
            try probe { request in
                try card.signature(request, slot: 1) { try card.key(0).sign(digest: $1).compact }
            }
        }
        try expectFailure(of: .openedSlot) {
            try probe { request in
                try card.signature(request, slot: 1) {
                    try card.key(1).sign(digest: $1.withFirstBitFlipped).compact
                }
            }
        }
    }

    @Test func anotherSlotsKeyFails() throws {
        for other in [0, 2] {
            let answer = { request in try card.signature(request, slot: 1, by: card.key(other)) }
            try expectFailure(of: .openedSlot) { try probe(answer) }
            try expectFailure(of: .openedSlot) { try probe(at: address(other), right) }
            // Another slot's key in its own name, where this slot's is known already.
            try expectFailure(of: .slotKey) { try probe(at: address(other), knowing: card.key(1).publicKey, answer) }
        }
        // The slot's master key, which its address follows from, is not its key.
        try expectFailure(of: .openedSlot) {
            try probe { try card.signature($0, slot: 1, by: card.master(1).privateKey) }
        }
    }

    /// No money hangs on random bytes; and nothing is learnt from what failed.
    @Test func aFailureIsNoAlarm() throws {
        let open = try OpenSession(
            .map(try card.status()), .computed { try card.signature($0, slot: 1, by: card.key(0)) })
        let error = try tapError { try open.session.probe(slot, at: address(1), cvc: cvc) }
        #expect(error.code == .badProof && !error.message.contains("ALARM"))
        #expect(open.session.knownKeys == KnownKeys() && !open.session.hasAccepted(cvc))
    }

    @Test func digestIsNewEachTimeButTheSameAfterAnUnluckyNumber() throws {
        let open = try OpenSession(
            .map(try card.status()), .map(TestCard.refusal(205)), .computed(right), .computed(right))
        try open.session.probe(slot, at: address(1), cvc: cvc)
        try open.session.probe(slot, at: address(1), cvc: cvc)
        let digests = try open.channel.maps(of: "sign").map { try card.card.revealed("digest", in: $0) }
        #expect(digests.count == 3 && digests[0] == digests[1] && digests[1] != digests[2])
    }

    @Test func refusals() throws {
        let sealed = try OpenSession(.map(try card.status()), .map(TestCard.refusal(406)))
        let refusal = try tapError { try sealed.session.probe(SlotNumber(index: 2), at: address(2), cvc: cvc) }
        #expect(refusal.code == .cardError)
        let wrong = try OpenSession(
            .map(try card.status()), .map(TestCard.refusal(401)), .map(try card.status(nonce: TestCard.nonce(2))))
        #expect(try tapError { try wrong.session.probe(slot, at: address(1), cvc: cvc) } == .wrongCVC(.atMost(2)))
    }

    @Test func anAnswerAboutAnotherSlotIsABadResponse() throws {
        for other in [0, 2] {
            try expectBadResponse("sign", "slot") {
                try probe { try card.signature($0, slot: other, by: card.key(1)) }
            }
        }
    }

    @Test func aSignerHasNoSlots() throws {
        var satschip = card.card.status()
        satschip["satschip"] = .bool(true)
        for (status, product) in [(card.card.status(), CardProduct.tapsigner), (satschip, .satschip)] {
            let open = try OpenSession(.map(status))
            #expect(throws: TapError.notSupported(command: "sign", product: product)) {
                try open.session.probe(slot, at: address(1), cvc: cvc)
            }
            #expect(open.channel.commandNames == ["select"])
        }
    }
}
