import Bitcoin
import ByteCodec
import TestSupport
import Testing

@testable import TapProtocol

/// `derive` on a SATSCARD.
@Suite struct SlotDeriveTests {
    private let card: TestSatscard

    init() throws { card = try TestSatscard(active: 2) }

    private func open(
        _ card: TestSatscard? = nil, answer: @escaping (CBORMap) throws -> CBORMap
    ) throws -> OpenSession {
        try OpenSession(.map(try (card ?? self.card).status()), .computed(answer))
    }

    @Test func publishedAnswers() throws {
        let rows = try CardVectors.rows("derive_satscard")
        #expect(rows.count == 3)
        for row in rows {
            var status = try CardVectors.status(nonce: try row.bytes("card_nonce"), isSatscard: true)
            status["addr"] = .text(TestSatscard.trimmed(try row.text("address")))
            if try row.flag("testnet") { status["testnet"] = .bool(true) }
            let answer: CBORMap = [
                "sig": .bytes(try row.bytes("sig")), "chain_code": .bytes(try row.bytes("chain_code")),
                "master_pubkey": .bytes(try row.bytes("master_pubkey")), "card_nonce": .bytes(TestCard.nonce(2)),
            ]
            let open = try OpenSession(
                .map(status), .map(answer), random: ScriptedRandom(try row.bytes("nonce")))
            let origin = try open.session.proveSlotOrigin(chainCode: try row.chainCode("chain_code"))
            #expect(origin.masterKey.bytes == (try row.bytes("master_pubkey")), "\(row.testDescription)")
            #expect(origin.chainCode == (try row.chainCode("chain_code")))
            let key = SlotDerivation.publicKey(master: origin.masterKey, chainCode: origin.chainCode)
            #expect(key?.bytes == (try row.bytes("pubkey")))
            #expect(open.channel.maps(of: "derive").first?.pairs.map(\.key) == ["nonce", "cmd"])

            // The same answer after another nonce of the card, or to another one of ours.
            status["card_nonce"] = .bytes(TestCard.firstNonce)
            let stale = try OpenSession(.map(status), .map(answer), random: ScriptedRandom(try row.bytes("nonce")))
            try expectFailure(of: .deriveSignature) { try stale.session.proveSlotOrigin() }
        }
    }

    @Test func anotherChainCodeThanOursFails() throws {
        let ours = try card.master(2).chainCode
        for (chainCode, isOurs) in [(ours, true), (ChainCode(repeating: 1), false)] {
            let open = try open { [card] in try card.derive($0) }
            let prove = { try open.session.proveSlotOrigin(chainCode: chainCode) }
            if isOurs { #expect(try prove().chainCode == ours) } else { try expectFailure(of: .chainCode, from: prove) }
        }
    }

    @Test func onlyTheMasterKeyMaySign() throws {
        let open = try open { [card] in try card.derive($0, by: card.key(2)) }
        try expectFailure(of: .deriveSignature) { try open.session.proveSlotOrigin() }
    }

    @Test func anotherSlotsMasterKeyFails() throws {
        let open = try open { [card] in try card.derive($0, master: card.master(3)) }
        try expectFailure(of: .masterKey) { try open.session.proveSlotOrigin() }
    }

    @Test func anotherChainCodeUnderTheSameMasterKeyFails() throws {
        let other = ExtendedPrivateKey(
            master: try card.master(2).privateKey, chainCode: ChainCode(repeating: 9), network: .main)
        let open = try open { [card] in try card.derive($0, master: other) }
        try expectFailure(of: .masterKey) { try open.session.proveSlotOrigin() }
    }

    /// `status` was altered too, so that its address fits; the key that `read` proved does not.
    @Test func aKeyThatContradictsReadFails() throws {
        let open = try open { [card] in try card.derive($0) }
        open.session.knownKeys.learn(try card.key(3).publicKey, of: SlotNumber(index: 2))
        try expectFailure(of: .masterKey) { try open.session.proveSlotOrigin() }
    }

    @Test func anUnusedSlotHasNoMasterKey() throws {
        var unused = card
        unused.isUsed = false
        let named = try open(unused) { [card] in try card.derive($0) }
        try expectFailure(of: .masterKey) { try named.session.proveSlotOrigin() }
        let honest = try OpenSession(.map(try unused.status()), .map(TestCard.refusal(406)))
        #expect(try tapError { try honest.session.proveSlotOrigin() }.code == .cardError)
    }

    @Test(arguments: [
        ("sig", nil), ("sig", CBORValue.bytes([UInt8](repeating: 1, count: 63))),
        ("sig", .bytes([UInt8](repeating: 0xFF, count: 64))), ("sig", .text("sig")),
        ("chain_code", nil), ("chain_code", .bytes([UInt8](repeating: 1, count: 31))), ("chain_code", .null),
        ("master_pubkey", nil), ("master_pubkey", .bytes([UInt8](repeating: 2, count: 32))),
        // No point has this x.
        ("master_pubkey", .bytes([2] + [UInt8](repeating: 0, count: 31) + [5])),
    ])
    func misshapenFields(field: String, value: CBORValue?) throws {
        let open = try open { [card] in
            var answer = try card.derive($0)
            answer[field] = value
            return answer
        }
        try expectBadResponse("derive", field) { try open.session.proveSlotOrigin() }
    }

    @Test func whatItProvedCountsForUnseal() throws {
        let cvc = try CVC(TestCard.cvc)
        let session = try OpenSession(
            .map(try card.status()), .computed { [card] in try card.derive($0) },
            .computed { [card] in try card.opened($0, slot: 2, next: TestCard.nonce(3)) }
        ).session
        let origin = try session.proveSlotOrigin()
        let opened = try session.unseal(cvc: cvc)
        #expect(opened.masterKey.publicKey == origin.masterKey && opened.chainCode == origin.chainCode)
    }

    @Test func aTapsignerIsNotAsked() throws {
        let open = try OpenSession(.map(card.card.status()))
        #expect(throws: TapError.notSupported(command: "derive", product: .tapsigner)) {
            try open.session.proveSlotOrigin()
        }
        #expect(open.channel.commandNames == ["select"])
    }
}
