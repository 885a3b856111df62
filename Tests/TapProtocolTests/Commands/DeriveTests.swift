import Bitcoin
import ByteCodec
import TestSupport
import Testing

@testable import TapProtocol

@Suite struct DeriveTests {
    private let cvc: CVC
    private let card: TestCard
    private let master = DerivationPath()

    init() throws {
        cvc = try CVC(TestCard.cvc)
        card = try TestCard()
    }

    @Test func publishedAnswer() throws {
        let rows = try CardVectors.rows("derive_tapsigner")
        #expect(rows.count == 1)
        for row in rows {
            let xpub = try #require(
                try CardVectors.rows("xpub_response").first {
                    try $0.text("public_key") == row.text("pubkey") && $0.text("xpub").hasPrefix("xpub")
                })
            let nonce = try row.bytes("card_nonce")
            let open = try OpenSession(
                .map(try CardVectors.status(nonce: nonce, path: nil)), .data(try row.bytes("response_cbor")),
                .map(try CardVectors.status(nonce: nonce)),
                .map(["xpub": .bytes(try xpub.bytes("bytes")), "card_nonce": .bytes(nonce)]),
                random: ScriptedRandom(try row.bytes("nonce") + CardVectors.ephemeralSecret))
            let account = try open.session.setPath(try row.path(), cvc: cvc)
            #expect(account.key.publicKey.bytes == (try row.bytes("pubkey")))
            #expect(account.key.chainCode == (try row.chainCode("chain_code")))
            #expect(account.path == (try row.path()))
            #expect(try open.session.extendedPublicKey(master: false, cvc: cvc) == account.key)
            let request = try #require(open.channel.maps(of: "derive").first)
            #expect(request["path"] == .array(try row.path().steps.map { .unsigned(UInt64($0.rawValue)) }))
            #expect(request["epubkey"] == .bytes(try row.bytes("epubkey")))
            #expect(request["xcvc"] == .bytes(try row.bytes("xcvc")))
            #expect(request["nonce"] == .bytes(try row.bytes("nonce")))
            #expect(open.channel.commandNames == ["select", "derive", "status", "xpub"])
        }
    }

    @Test func pathLimits() throws {
        let invalid = try CardVectors.rows("derive_path_invalid")
        #expect(invalid.count == 2)
        for row in invalid {
            let open = try OpenSession(.map(card.status()))
            guard
                case .invalidArgument("derive", _) = try tapError(from: {
                    try open.session.setPath(try row.path(), cvc: cvc)
                })
            else {
                Issue.record("\(row.testDescription)")
                continue
            }
            #expect(open.channel.commandNames == ["select"])
        }
        let longest = try CardVectors.rows("derive_path_longest")
        #expect(longest.count == 1)
        for row in longest { #expect(try DeriveCommand(path: row.path()).path.steps.count == 8) }
    }

    @Test(arguments: [false, true])
    func eitherKeyMaySign(byDerivedKey: Bool) throws {
        let log = TraceLog()
        let path = DerivationPath([ChildNumber(rawValue: 0x8000_0031)])
        var moved = card
        moved.path = path
        let open = try OpenSession(
            .map(card.status()),
            .computed { [card] in try card.derivation(for: $0, to: path, byDerivedKey: byDerivedKey) },
            .map(moved.status(nonce: TestCard.nonce(2))), trace: log.record)
        let account = try open.session.setPath(path, cvc: cvc)
        let held = try card.master.descendant(path).neutered
        #expect(account.key.publicKey == held.publicKey && account.key.chainCode == held.chainCode)
        #expect(account.key.depth == 1 && account.key.childNumber == path.steps.first)
        #expect(account.key.parentFingerprint == .zero && account.key.network == .main)
        #expect(account.masterKey == card.master.privateKey.publicKey && account.path == path)
        #expect(account.masterFingerprint == card.master.neutered.fingerprint)
        #expect(open.session.status.path == path)
        #expect(open.channel.commandNames == ["select", "derive", "status"])
        #expect(log.events.contains(.deriveSigned(by: byDerivedKey ? .derived : .master)))
    }

    @Test func aSignatureByNeitherKeyFails() throws {
        let open = try OpenSession(
            .map(card.status()),
            .computed { [card] request in
                var answer = try card.derivation(for: request, to: TestCard.path)
                answer["chain_code"] = .bytes([UInt8](repeating: 9, count: 32))
                return answer
            })
        try expectFailure(of: .deriveSignature) { try open.session.setPath(TestCard.path, cvc: cvc) }
    }

    @Test func aStaleNonceFails() throws {
        let open = try OpenSession(
            .map(card.status()),
            .computed { [card] in
                try card.derivation(for: $0, to: TestCard.path, cardNonce: TestCard.nonce(9))
            })
        try expectFailure(of: .deriveSignature) { try open.session.setPath(TestCard.path, cvc: cvc) }
    }

    @Test func aCardThatStaysWhereItWasFails() throws {
        let path = DerivationPath([ChildNumber(rawValue: 0x8000_0031)])
        let open = try OpenSession(
            .map(card.status()), .computed { [card] in try card.derivation(for: $0, to: path) },
            .map(card.status(nonce: TestCard.nonce(2))))
        try expectFailure(of: .path) { try open.session.setPath(path, cvc: cvc) }
    }

    @Test func anExtendedKeyThatDisagreesFails() throws {
        let path = DerivationPath([ChildNumber(rawValue: 0x8000_0031)])
        var moved = card
        moved.path = path
        let sibling = DerivationPath([ChildNumber(rawValue: 0x8000_0032)])
        for answer in [try card.extendedKey(at: sibling), try card.extendedKey(at: master)] {
            let open = try OpenSession(
                .map(card.status()), .computed { [card] in try card.derivation(for: $0, to: path) },
                .map(moved.status(nonce: TestCard.nonce(2))), .map(answer))
            try open.session.setPath(path, cvc: cvc)
            try expectFailure(of: .extendedKey) { try open.session.extendedPublicKey(master: false, cvc: cvc) }
        }
    }

    /// At `m` the two keys are one, whichever signs.
    @Test func anotherMasterKeyAtMFails() throws {
        let open = try OpenSession(
            .map(card.status()),
            .computed { [card, master] request in
                var answer = try card.derivation(for: request, to: master, byDerivedKey: true)
                answer["master_pubkey"] = .bytes(card.key.publicKey.bytes)
                return answer
            })
        try expectFailure(of: .deriveSignature) { try open.session.setPath(master, cvc: cvc) }
    }

    @Test func anotherMasterKeyThanBeforeFails() throws {
        let open = try OpenSession(
            .map(card.status()), .computed { [card, master] _ in try card.extendedKey(at: master) },
            .computed { [card] request in
                var answer = try card.derivation(
                    for: request, to: TestCard.path, cardNonce: TestCard.nonce(2), byDerivedKey: true)
                answer["master_pubkey"] = .bytes(card.key.publicKey.bytes)
                return answer
            })
        _ = try open.session.extendedPublicKey(master: true, cvc: cvc)
        try expectFailure(of: .extendedKey) { try open.session.setPath(TestCard.path, cvc: cvc) }
    }

    /// An extended key that was known before is not another one behind `derive`: neither its key nor its chain code.
    @Test func anotherKeyThanBeforeFails() throws {
        let held = try card.master.descendant(TestCard.path).neutered
        let others = [
            (held.publicKey, ChainCode(repeating: 9)), (card.key.publicKey, held.chainCode),
        ]
        for (publicKey, chainCode) in others {
            let open = try OpenSession(
                .map(card.status()), .computed { [card] in try card.derivation(for: $0, to: TestCard.path) })
            open.session.knownKeys.learn(
                ExtendedPublicKey(network: .main, chainCode: chainCode, publicKey: publicKey),
                at: TestCard.path)
            try expectFailure(of: .extendedKey) { try open.session.setPath(TestCard.path, cvc: cvc) }
        }
    }

    @Test func anAccountIsBelievedUntilItsSignatures() throws {
        let path = DerivationPath([ChildNumber(rawValue: 0x8000_0031)])
        var moved = card
        moved.path = path
        for key in [try card.privateKey(at: path), card.key] {
            let open = try OpenSession(
                .map(card.status()), .computed { [card] in try card.derivation(for: $0, to: path) },
                .computed { [moved] in try moved.signature(for: $0, key: key) })
            let account = try open.session.account(at: path, cvc: cvc)
            #expect(account.key.publicKey == (try card.privateKey(at: path).publicKey))
            #expect(account.key.depth == 1 && account.key.childNumber == path.steps.first)
            #expect(account.masterFingerprint == card.master.neutered.fingerprint)
            let sign = {
                try open.session.sign(digest: Digest(hashing: [1]), subpath: DerivationPath(), cvc: cvc)
            }
            if key.publicKey == account.key.publicKey {
                _ = try sign()
            } else {
                try expectFailure(of: .signingKey, from: sign)
            }
            #expect(open.channel.commandNames == ["select", "derive", "sign"])
        }
    }
}
