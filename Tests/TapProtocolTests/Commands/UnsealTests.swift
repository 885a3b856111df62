import Bitcoin
import ByteCodec
import TestSupport
import Testing

@testable import TapProtocol

@Suite struct UnsealTests {
    private let cvc: CVC
    private let card: TestSatscard

    init() throws {
        cvc = try CVC(TestCard.cvc)
        card = try TestSatscard(active: 2)
    }

    private func open(
        _ card: TestSatscard? = nil, answer: @escaping (CBORMap) throws -> CBORMap
    ) throws -> OpenSession {
        try OpenSession(.map(try (card ?? self.card).status()), .computed(answer))
    }

    @Test func publishedAnswers() throws {
        let rows = try CardVectors.rows("unseal")
        #expect(rows.count == 3)
        for row in rows {
            let slot = try row.number("slot")
            var status = try CardVectors.status(nonce: try row.bytes("card_nonce"), isSatscard: true)
            status["slots"] = .array([.unsigned(UInt64(slot)), .unsigned(10)])
            status["addr"] = .text(TestSatscard.trimmed(try row.text("address")))
            if try row.flag("testnet") { status["testnet"] = .bool(true) }
            let open = try OpenSession(
                .map(status), .data(try row.bytes("response_cbor")),
                random: ScriptedRandom(try row.bytes("ephemeral_private_key")))
            let opened = try open.session.unseal(cvc: try CVC(try row.text("cvc")))
            #expect(opened.slot.index == slot, "\(row.testDescription)")
            #expect(opened.privateKey.secret.withBytes { Array($0) } == (try row.bytes("privkey")))
            #expect(opened.publicKey.bytes == (try row.bytes("pubkey")))
            #expect(opened.masterKey.secret.withBytes { Array($0) } == (try row.bytes("master_pk_plain")))
            #expect(opened.chainCode == (try row.chainCode("chain_code")))
            #expect(opened.address.description == (try row.text("address")))
            #expect(opened.walletImportFormat == (try row.text("wif")))
            #expect(opened.descriptor == (try row.text("descriptor")))
            #expect(opened.network == (try row.flag("testnet") ? .test : .main))
            #expect(!opened.isTampered)
            let request = try #require(open.channel.maps(of: "unseal").first)
            #expect(request["slot"] == .unsigned(UInt64(slot)))
            #expect(request["epubkey"] == .bytes(try row.bytes("epubkey")))
            #expect(request["xcvc"] == .bytes(try row.bytes("xcvc")))
        }
    }

    /// The note beside the vectors: texts and implementations differ on whether `master_pk` is hidden.
    @Test(arguments: [false, true])
    func bothReadingsOfTheMasterKey(hidesMaster: Bool) throws {
        let notes = try CardVectors.rows("note")
        #expect(notes.count == 2)
        #expect(try notes.contains { try $0.text("about") == "dump.master_pk and unseal.master_pk" })
        let open = try open { [card] in try card.opened($0, slot: 2, hidesMaster: hidesMaster) }
        let opened = try open.session.unseal(cvc: cvc)
        #expect(opened.masterKey.publicKey == (try card.master(2).privateKey.publicKey))
        #expect(opened.privateKey.publicKey == opened.publicKey)
    }

    @Test func theNextSlotIsActiveButForTheLast() throws {
        for slot in [0, 8, 9] {
            let card = try TestSatscard(active: slot)
            let session = try open(card) { try card.opened($0, slot: slot) }.session
            _ = try session.unseal(cvc: cvc)
            #expect(session.status.slots?.active == min(slot + 1, 9))
            #expect((session.status.address == nil) == (slot < 9))
        }
    }

    @Test func anotherSlotThanTheAskedOneFails() throws {
        for slot in [0, 1, 3, 255] {
            let open = try open { [card] in
                var answer = try card.opened($0, slot: 2)
                answer["slot"] = .unsigned(UInt64(slot))
                return answer
            }
            try expectBadResponse("unseal", "slot") { try open.session.unseal(cvc: cvc) }
        }
    }

    /// The keys of another slot, right among themselves.
    @Test func anotherSlotsKeysFail() throws {
        let open = try open { [card] in try card.opened($0, slot: 2, keysOf: 1) }
        try expectFailure(of: .address) { try open.session.unseal(cvc: cvc) }
        #expect(open.session.status.slots?.active == 2)
        let known = try self.open { [card] in try card.opened($0, slot: 2, keysOf: 1) }
        known.session.knownKeys.learn(try card.key(2).publicKey, of: SlotNumber(index: 2))
        try expectFailure(of: .slotKey) { try known.session.unseal(cvc: cvc) }
    }

    @Test func aPrivateKeyThatIsNotThePublicKeysFails() throws {
        let answers: [(CBORMap) throws -> [UInt8]] = [
            { [card] in try card.hidden(card.key(1).secret.withBytes { Array($0) }, for: $0) },
            // Not hidden at all, 0, and the group order's neighbourhood.
            { [card] _ in try card.key(2).secret.withBytes { Array($0) } },
            { [card] in try card.hidden([UInt8](repeating: 0, count: 32), for: $0) },
            { [card] in try card.hidden([UInt8](repeating: 0xFF, count: 32), for: $0) },
        ]
        for privateKey in answers {
            let open = try open { [card] in
                var answer = try card.opened($0, slot: 2)
                answer["privkey"] = .bytes(try privateKey($0))
                return answer
            }
            try expectFailure(of: .openedKey) { try open.session.unseal(cvc: cvc) }
        }
    }

    @Test func aMasterKeyOrChainCodeThatIsNotTheSlotsFails() throws {
        let changes: [(String, [UInt8])] = [
            ("master_pk", try card.master(1).privateKey.secret.withBytes { Array($0) }),
            ("master_pk", [UInt8](repeating: 0, count: 32)), ("master_pk", [UInt8](repeating: 0xFF, count: 32)),
            ("chain_code", try card.master(1).chainCode.bytes), ("chain_code", [UInt8](repeating: 0, count: 32)),
        ]
        for (field, bytes) in changes {
            for hidesMaster in [false, true] {
                let open = try open { [card] in
                    var answer = try card.opened($0, slot: 2, hidesMaster: hidesMaster)
                    answer[field] = .bytes(bytes)
                    return answer
                }
                try expectFailure(of: .masterKey) { try open.session.unseal(cvc: cvc) }
            }
        }
    }

    @Test func anotherChainCodeThanDeriveNamedFails() throws {
        let open = try open { [card] in try card.opened($0, slot: 2) }
        let origin = SlotOrigin(
            masterKey: try card.master(2).privateKey.publicKey, chainCode: ChainCode(repeating: 1))
        open.session.knownKeys.learn(origin, of: SlotNumber(index: 2))
        try expectFailure(of: .chainCode) { try open.session.unseal(cvc: cvc) }
    }

    @Test(arguments: [
        ("slot", CBORValue.text("2")), ("pubkey", .null),
        ("pubkey", .bytes([2] + [UInt8](repeating: 0, count: 31) + [5])),
        ("pubkey", .bytes([UInt8](repeating: 4, count: 65))), ("privkey", nil as CBORValue?),
        ("privkey", .bytes([UInt8](repeating: 1, count: 33))), ("privkey", .null), ("chain_code", nil),
        ("chain_code", .bytes([])), ("master_pk", nil), ("master_pk", .bytes([UInt8](repeating: 1, count: 31))),
        ("tampered", .unsigned(1)), ("card_nonce", .null), ("card_nonce", .bytes([UInt8](repeating: 1, count: 17))),
    ])
    func misshapenFields(field: String, value: CBORValue?) throws {
        let open = try open { [card] in
            var answer = try card.opened($0, slot: 2)
            answer[field] = value
            return answer
        }
        try expectBadResponse("unseal", field) { try open.session.unseal(cvc: cvc) }
        #expect(open.session.status.slots?.active == 2)
    }

    @Test(arguments: ["slot", "pubkey", "card_nonce"])
    func whatNoProofNeedsMayBeMissing(field: String) throws {
        let open = try open { [card] in
            var answer = try card.opened($0, slot: 2)
            answer[field] = nil
            return answer
        }
        let opened = try open.session.unseal(cvc: cvc)
        #expect(opened.publicKey == (try card.key(2).publicKey))
        #expect(opened.address.description == (try card.address(2)))
    }

    @Test func aSlotWithoutKeyIsNotAsked() throws {
        var unused = card
        unused.isUsed = false
        var full = card
        full.isUsed = false
        full.active = 10
        for card in [unused, full] {
            let open = try OpenSession(.map(try card.status()))
            try expectInvalidArgument("unseal") { try open.session.unseal(cvc: cvc) }
            #expect(open.channel.commandNames == ["select"])
        }
        let signer = try OpenSession(.map(card.card.status()))
        #expect(throws: TapError.notSupported(command: "unseal", product: .tapsigner)) {
            try signer.session.unseal(cvc: cvc)
        }
    }

    @Test func aRefusalChangesNothing() throws {
        for number in [401, 406, 429] as [UInt64] {
            let open = try OpenSession(
                .map(try card.status()), .map(TestCard.refusal(number)), .map(try card.status()))
            let code = try tapError { try open.session.unseal(cvc: cvc) }.code
            #expect(code.rawValue == [401: "wrong_cvc", 406: "card_error", 429: "rate_limited"][number])
            #expect(open.channel.maps(of: "unseal").count == 1)
            #expect(open.session.status.slots?.active == 2 && open.session.status.address != nil)
        }
    }

    @Test func secretsAreNotShown() throws {
        let opened = try open { [card] in try card.opened($0, slot: 2) }.session.unseal(cvc: cvc)
        var text = "\(opened)"
        dump(opened, to: &text)
        for key in [opened.privateKey, opened.masterKey] {
            #expect(!text.contains(Hex.encode(key.secret.withBytes { Array($0) })))
        }
        #expect(!text.contains(opened.walletImportFormat))
    }
}
