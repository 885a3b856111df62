import Bitcoin
import ByteCodec
import TestSupport
import Testing

@testable import TapProtocol

/// `sign` as the proof of an account; `SlotProbeTests` has that of a SATSCARD's slot.
@Suite struct ProbeTests {
    private let cvc: CVC
    private let card: TestCard
    private let account: ExtendedPublicKey

    init() throws {
        cvc = try CVC(TestCard.cvc)
        card = try TestCard()
        account = try card.master.descendant(TestCard.path).neutered
    }

    /// The account's key below the steps that a request asks for.
    private func key(for request: CBORMap) throws -> PrivateKey {
        try card.privateKey(at: TestCard.path.appending(TestCard.subpath(of: request)))
    }

    private func right(_ request: CBORMap) throws -> CBORMap {
        try card.signature(for: request, key: key(for: request))
    }

    private func probe(
        _ account: ExtendedPublicKey? = nil, _ answer: @escaping (CBORMap) throws -> CBORMap
    ) throws -> OpenSession {
        let open = try OpenSession(.map(card.status()), .computed(answer))
        try open.session.probe(account ?? self.account, cvc: cvc)
        return open
    }

    @Test func theRightAnswerPasses() throws {
        let open = try probe(nil, right)
        #expect(open.channel.commandNames == ["select", "sign"])
        let request = try #require(open.channel.maps(of: "sign").first)
        #expect(Set(request.pairs.map(\.key)) == ["slot", "digest", "subpath", "epubkey", "xcvc", "cmd"])
        #expect(request["slot"] == .unsigned(0))
        #expect(try card.cvc(in: request, nonce: TestCard.firstNonce) == TestCard.cvc)
        #expect(open.session.hasAccepted(cvc))

        // The answer's nonce is the next command's.
        open.channel.answers = [
            .computed { [card] in
                #expect(try card.cvc(in: $0, nonce: TestCard.nonce(2)) == TestCard.cvc)
                return try card.extendedKey(at: TestCard.path, next: TestCard.nonce(3))
            }
        ]
        try open.session.test(cvc)
    }

    @Test func highRIsTaken() throws {
        _ = try probe { request in
            try card.signature(for: request, key: key(for: request)) { _, digest in
                try key(for: request).signatureWithHighR(digest)
            }
        }
    }

    /// Which key signs what, in what key's name, instead of the right one.
    private enum Forgery: CaseIterable {
        case anotherKey, anotherKeyInTheRightName, rightKeyInAnothersName, otherBytes, oneStepBelow, oneStepAbove
        case anotherSubpath, theAccountItself, theMasterKey, aSiblingAccount, anotherChainCode
    }

    private func forged(_ forgery: Forgery, _ request: CBORMap) throws -> CBORMap {
        let (subpath, key) = (try TestCard.subpath(of: request), try key(for: request))
        func signed(at path: DerivationPath) throws -> CBORMap {
            try card.signature(for: request, key: card.privateKey(at: path))
        }
        switch forgery {
        case .anotherKey: return try card.signature(for: request, key: card.key)
        case .anotherKeyInTheRightName:
            return try card.signature(for: request, key: key) { [card] in card.key.sign(digest: $1).compact }
        case .rightKeyInAnothersName:
            return try card.signature(for: request, key: card.key) { key.sign(digest: $1).compact }
        case .otherBytes:
            return try card.signature(for: request, key: key) {
                try key.sign(digest: $1.withFirstBitFlipped).compact
            }
        case .oneStepBelow: return try signed(at: TestCard.path.appending(subpath).appending(DerivationPath([.zero])))
        case .oneStepAbove: return try signed(at: TestCard.path.appending(DerivationPath(subpath.steps.dropLast())))
        case .anotherSubpath: return try signed(at: TestCard.path.appending(DerivationPath(subpath.steps.reversed())))
        case .theAccountItself: return try signed(at: TestCard.path)
        case .theMasterKey: return try signed(at: DerivationPath())
        case .aSiblingAccount:
            let last = ChildNumber(rawValue: 0x8000_0001)
            return try signed(at: DerivationPath(TestCard.path.steps.dropLast() + [last]).appending(subpath))
        case .anotherChainCode:
            let own = try card.master.descendant(TestCard.path)
            let twin = ExtendedPrivateKey(
                master: own.privateKey, chainCode: ChainCode(repeating: 0x25), network: .main)
            return try card.signature(for: request, key: twin.descendant(subpath).privateKey)
        }
    }

    /// Each is a failed proof of the account, and none the alarm: no money hangs on random bytes.
    @Test(arguments: Forgery.allCases)
    private func everyOtherSignatureFails(forgery: Forgery) throws {
        let open = try OpenSession(.map(card.status()), .computed { try forged(forgery, $0) })
        let error = try tapError { try open.session.probe(account, cvc: cvc) }
        guard case .badProof(.account, _) = error else {
            Issue.record("Another error than a failed proof of the account: \(error)")
            return
        }
        #expect(error.code == .badProof && !error.message.contains("ALARM"))
        // Whoever answered has not shown that the CVC is right.
        #expect(!open.session.hasAccepted(cvc) && open.session.possibleWrongTries == 1)
        #expect(open.channel.commandNames == ["select", "sign"])
    }

    @Test func onlyTheCardsOwnAccountPasses() throws {
        let path = TestCard.path
        let sibling = DerivationPath(path.steps.dropLast() + [ChildNumber(rawValue: 0x8000_0001)])
        let claims = [
            // Its child, whose grandchildren are too far down for the card.
            try account.child(.zero), try account.descendant(DerivationPath([.zero, .zero])),
            card.master.neutered, try card.master.descendant(sibling).neutered,
            try card.master.descendant(DerivationPath(path.steps.dropLast())).neutered,
            try claim(chainCode: ChainCode(repeating: 0x25)), try claim(publicKey: card.key.publicKey),
        ]
        for claim in claims { try expectFailure(of: .account) { try probe(claim, right) } }
        // What the proof is not about: where the key stands, and for which network it is written.
        for claim in [try claim(network: .test), try claim(depth: 0)] { _ = try probe(claim, right) }
    }

    private func claim(
        network: KeyNetwork = .main, depth: UInt8 = 3, chainCode: ChainCode? = nil, publicKey: PublicKey? = nil
    ) throws -> ExtendedPublicKey {
        ExtendedPublicKey(
            network: network, depth: depth, childNumber: account.childNumber,
            chainCode: chainCode ?? account.chainCode, publicKey: publicKey ?? account.publicKey)
    }

    @Test func anAccountTooDeepForChildrenFailsBeforeTheCardIsAsked() throws {
        let open = try OpenSession(.map(card.status()))
        for depth in [254, 255] as [UInt8] {
            try expectFailure(of: .account) { try open.session.probe(claim(depth: depth), cvc: cvc) }
        }
        #expect(open.channel.commandNames == ["select"])
    }

    /// A card that says that it has no path, and signs all the same, holds the key.
    @Test func theStatusIsNotAsked() throws {
        var blank = card
        blank.path = nil
        let open = try OpenSession(.map(blank.status()), .computed(right))
        try open.session.probe(account, cvc: cvc)
    }

    @Test func digestAndSubpathAreNewEachTimeAndTheDigestIsHidden() throws {
        let count = 20
        let log = TraceLog()
        let answers = [.map(card.status())] + [ScriptedChannel.Answer](repeating: .computed(right), count: count)
        let open = try OpenSession(answers: answers, random: SeededGenerator(), trace: log.record)
        for _ in 0..<count { try open.session.probe(account, cvc: cvc) }
        let requests = open.channel.maps(of: "sign")
        let digests = try requests.map { try card.revealed("digest", in: $0) }
        let subpaths = try requests.map(TestCard.subpath)
        #expect(requests.count == count && Set(digests).count == count && Set(subpaths).count == count)
        #expect(digests.allSatisfy { $0.count == 32 && Set($0).count > 8 })
        #expect(subpaths.allSatisfy { $0.steps.count == 2 && !$0.steps.contains(where: \.isHardened) })
        // Of all the steps there are, not of a few.
        let steps = subpaths.flatMap(\.steps).map(\.rawValue)
        #expect(Set(steps).count == 2 * count && steps.contains { $0 >= 1 << 30 } && steps.contains { $0 < 1 << 30 })
        let sent = open.channel.requests.map { Hex.encode($0) } + log.events.map { "\($0)" }
        for digest in digests { #expect(!sent.contains { $0.contains(Hex.encode(digest)) }) }
    }

    @Test(arguments: [1, 10])
    func repeatsAnUnluckyNumber(count: Int) throws {
        let unlucky = ScriptedChannel.Answer.map(TestCard.refusal(205, "unlucky number"))
        let open = try OpenSession(
            answers: [.map(card.status())] + [ScriptedChannel.Answer](repeating: unlucky, count: count)
                + [.computed(right)])
        try open.session.probe(account, cvc: cvc)
        let requests = open.channel.maps(of: "sign")
        #expect(requests.count == count + 1)
        #expect(Set(try requests.map { try card.revealed("digest", in: $0) }).count == 1)
        #expect(Set(try requests.map(TestCard.subpath)).count == 1)
        #expect(Set(requests.map { String(describing: $0["epubkey"]) }).count == count + 1)
        #expect(Set(requests.map { String(describing: $0["digest"]) }).count == count + 1)
    }

    @Test func luckRunsOut() throws {
        let unlucky = ScriptedChannel.Answer.map(TestCard.refusal(205, "unlucky number"))
        let open = try OpenSession(
            answers: [.map(card.status())] + [ScriptedChannel.Answer](repeating: unlucky, count: 100))
        #expect(try tapError { try open.session.probe(account, cvc: cvc) }.code == .unluckyNumber)
        #expect(open.channel.maps(of: "sign").count == 11)
    }

    @Test func refusals() throws {
        let open = try OpenSession(.map(card.status()), .map(TestCard.refusal(401)), .map(card.status()))
        #expect(try tapError { try open.session.probe(account, cvc: cvc) } == .wrongCVC(.atMost(2)))
        #expect(open.channel.commandNames == ["select", "sign", "status"])
        #expect(!open.session.hasAccepted(cvc))
        let blank = try OpenSession(.map(card.status()), .map(TestCard.refusal(406)))
        #expect(try tapError { try blank.session.probe(account, cvc: cvc) }.code == .cardError)
    }

    @Test(arguments: [
        ("slot", CBORValue.unsigned(1)), ("sig", nil), ("sig", .bytes([UInt8](repeating: 1, count: 65))),
        ("sig", .bytes([UInt8](repeating: 0xFF, count: 64))), ("pubkey", nil),
        ("pubkey", .bytes([UInt8](repeating: 5, count: 33))), ("card_nonce", .bytes([1])),
    ])
    func misshapenFields(field: String, value: CBORValue?) throws {
        try expectBadResponse("sign", field) {
            try probe { request in
                var answer = try right(request)
                answer[field] = value
                return answer
            }
        }
    }

    @Test func aSatscardHasNoAccount() throws {
        let open = try OpenSession(.map(try TestSatscard(active: 2).status()))
        #expect(throws: TapError.notSupported(command: "sign", product: .satscard)) {
            try open.session.probe(account, cvc: cvc)
        }
        #expect(open.channel.commandNames == ["select"])
    }
}

extension ChildNumber {
    fileprivate static let zero = ChildNumber(rawValue: 0)
}
