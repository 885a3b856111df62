import Bitcoin
import ByteCodec
import TestSupport
import Testing

@testable import TapProtocol

@Suite struct SignTests {
    private let cvc: CVC
    private let card: TestCard
    private let digest = Digest(hashing: "tapkit".utf8)

    init() throws {
        cvc = try CVC(TestCard.cvc)
        card = try TestCard()
    }

    @Test func publishedSignatures() throws {
        let rows = try CardVectors.rows("sign_command")
        #expect(rows.count == 4)
        for row in rows {
            let open = try OpenSession(
                .map(try CardVectors.status(nonce: try row.bytes("card_nonce"))), .data(try row.bytes("response_cbor")),
                random: ScriptedRandom(try row.bytes("ephemeral_private_key")))
            let signed = try open.session.sign(
                digest: try row.digest("digest"), subpath: try row.path("subpath"), cvc: try CVC(try row.text("cvc")))
            #expect(signed.signature.compact == (try row.bytes("sig")), "\(row.testDescription)")
            #expect(signed.signature.der == (try row.bytes("sig_der")))
            #expect(signed.publicKey.bytes == (try row.bytes("pubkey")))
            #expect(open.channel.requests[1].dropFirst(5).elementsEqual(try row.bytes("request_cbor")))
            let request = try #require(open.channel.maps(of: "sign").first)
            #expect(request["digest"] == .bytes(try row.bytes("encrypted_digest")))
        }
    }

    @Test func subpathLimits() throws {
        let rows = try CardVectors.rows("subpath_invalid")
        #expect(rows.count == 2)
        for row in rows {
            let path = try row.path()
            guard
                case .invalidArgument("sign", _) = try tapError(from: {
                    try SignCommand(digest: digest, subpath: path)
                })
            else {
                Issue.record("\(row.testDescription)")
                continue
            }
        }
    }

    @Test func oneExchangeForEachSignature() throws {
        let count = 20
        var answers: [ScriptedChannel.Answer] = [.map(card.status())]
        for number in 0..<count {
            answers.append(
                .computed { [card] in
                    #expect(
                        try card.cvc(in: $0, nonce: number == 0 ? TestCard.firstNonce : TestCard.nonce(UInt8(number)))
                            == TestCard.cvc)
                    return try card.signature(for: $0, next: TestCard.nonce(UInt8(number + 1)))
                })
        }
        let open = try OpenSession(answers: answers)
        for number in 0..<count {
            let digest = Digest(hashing: [UInt8(number)])
            let signed = try open.session.sign(digest: digest, subpath: DerivationPath(), cvc: cvc)
            #expect(signed.publicKey.isValid(signed.signature, for: digest))
        }
        #expect(open.session.exchangeCount == count + 1)
        let ephemeralKeys = open.channel.maps(of: "sign").compactMap { $0["epubkey"] }
        #expect(ephemeralKeys.count == count)
        #expect(Set(ephemeralKeys.map(String.init(describing:))).count == count)
    }

    private func fails(
        _ proof: Proof, at location: SourceLocation = #_sourceLocation,
        answer: @escaping (CBORMap) throws -> CBORMap
    ) throws {
        let open = try OpenSession(.map(card.status()), .computed(answer))
        try expectFailure(of: proof, at: location) {
            try open.session.sign(digest: digest, subpath: DerivationPath(), cvc: cvc)
        }
    }

    private func signed(_ answer: @escaping (CBORMap) throws -> CBORMap) throws -> (CardSignature, [TraceEvent]) {
        let log = TraceLog()
        let open = try OpenSession(answers: [.map(card.status()), .computed(answer)], trace: log.record)
        return (try open.session.sign(digest: digest, subpath: DerivationPath(), cvc: cvc), log.events)
    }

    /// Whoever verifies wants a low S, and its twin is as good.
    @Test func aHighSIsMadeLow() throws {
        let key = try card.privateKey(at: TestCard.path)
        let low = key.signGrindingLowR(digest: digest)
        let (signed, events) = try signed { [card] in
            try card.signature(for: $0) { _, _ in low.compactWithOtherS }
        }
        #expect(signed.signature == low && signed.signature.hasLowS)
        #expect(key.publicKey.isValid(signed.signature, for: digest))
        #expect(events.contains(.form(command: "sign", detail: "S of `sig` is high and was made low")))
    }

    @Test func aHighRIsTaken() throws {
        let key = try card.privateKey(at: TestCard.path)
        let high = try key.signatureWithHighR(digest)
        let (signed, _) = try signed { [card] in try card.signature(for: $0) { _, _ in high } }
        #expect(signed.signature.compact == high && !signed.signature.hasLowR)
        #expect(key.publicKey.isValid(signed.signature, for: digest))
        #expect(signed.signature.der.count == 71)
    }

    @Test func aSignatureOverAnotherDigestFails() throws {
        try fails(.signature) { [card] in
            try card.signature(for: $0) { _, _ in
                try card.privateKey(at: TestCard.path).signGrindingLowR(digest: Digest(hashing: [0])).compact
            }
        }
    }

    @Test func aSignatureByAnotherKeyFails() throws {
        try fails(.signature) { [card] in
            try card.signature(for: $0) { _, digest in card.key.signGrindingLowR(digest: digest).compact }
        }
    }

    /// `status` was altered, or the card invents a key: with no path there is none that could sign.
    @Test func aCardWithoutAPathHasNoKey() throws {
        var blank = card
        blank.path = nil
        let open = try OpenSession(
            .map(blank.status()), .computed { [card] in try card.signature(for: $0) })
        try expectBadResponse("sign", "sig") {
            try open.session.sign(digest: digest, subpath: DerivationPath(), cvc: cvc)
        }
    }

    @Test func aKeyThatIsNotAtThePathFails() throws {
        let open = try OpenSession(
            .map(card.status()), .computed { [card] _ in try card.extendedKey(at: TestCard.path) },
            .computed { [card] in try card.signature(for: $0, key: card.key) })
        _ = try open.session.extendedPublicKey(master: false, cvc: cvc)
        try expectFailure(of: .signingKey) {
            try open.session.sign(digest: digest, subpath: DerivationPath(), cvc: cvc)
        }
    }

    @Test func aKeyBelowTheKnownExtendedKeyIsCompared() throws {
        let subpath = try DerivationPath(parsing: "0/5")
        for key in [try card.privateKey(at: TestCard.path.appending(subpath)), try card.privateKey(at: TestCard.path)] {
            let open = try OpenSession(
                .map(card.status()), .computed { [card] _ in try card.extendedKey(at: TestCard.path) },
                .computed { [card] in try card.signature(for: $0, key: key) })
            _ = try open.session.extendedPublicKey(master: false, cvc: cvc)
            let sign = { try open.session.sign(digest: digest, subpath: subpath, cvc: cvc) }
            if key.publicKey == (try card.privateKey(at: TestCard.path)).publicKey {
                try expectFailure(of: .signingKey, from: sign)
            } else {
                #expect(try sign().publicKey == key.publicKey)
            }
        }
    }
}
