import Bitcoin
import ByteCodec
import TestSupport
import Testing

@testable import TapProtocol

/// `new`, `backup` and `change`.
@Suite struct SetupTests {
    private let cvc: CVC
    private let card: TestCard
    private let blank: TestCard

    init() throws {
        cvc = try CVC(TestCard.cvc)
        card = try TestCard()
        var blank = card
        blank.path = nil
        self.blank = blank
    }

    /// The chain code comes back at `m`, where a probe proves it.
    @Test func ourChainCodeIsProvenAtM() throws {
        let master = DerivationPath()
        var atMaster = card
        atMaster.path = master
        for isOurs in [true, false] {
            let key = try atMaster.master(isOurs ? nil : ChainCode(repeating: 0x25))
            let chainCode = card.master.chainCode
            let open = try OpenSession(
                .map(blank.status()), .map(["slot": .unsigned(0), "card_nonce": .bytes(TestCard.nonce(2))]),
                .map(card.status(nonce: TestCard.nonce(2))),
                .computed { [atMaster] in
                    try atMaster.derivation(for: $0, to: master, cardNonce: TestCard.nonce(2), next: TestCard.nonce(3))
                },
                .map(atMaster.status(nonce: TestCard.nonce(3))),
                .computed { [atMaster] in
                    try atMaster.signature(for: $0, key: key.descendant(TestCard.subpath(of: $0)).privateKey)
                })
            try open.session.createKey(chainCode: chainCode, cvc: cvc)
            #expect(open.session.status.isSetUp)
            #expect(open.channel.maps(of: "new").first?["chain_code"] == .bytes(chainCode.bytes))
            #expect(open.channel.commandNames == ["select", "new", "status"])
            let account = try open.session.setPath(master, cvc: cvc)
            #expect(account.key == card.master.neutered && account.key.chainCode == chainCode)
            if isOurs {
                try open.session.probe(account.key, cvc: cvc)
            } else {
                try expectFailure(of: .account) { try open.session.probe(account.key, cvc: cvc) }
            }
            #expect(open.channel.commandNames.suffix(3) == ["derive", "status", "sign"])
        }
    }

    /// What was known of the card before it had a key counts no more.
    @Test func aNewKeyIsNotComparedWithAnOldOne() throws {
        let open = try OpenSession(
            .map(blank.status()), .map(["slot": .unsigned(0), "card_nonce": .bytes(TestCard.nonce(2))]),
            .map(card.status(nonce: TestCard.nonce(2))))
        open.session.knownKeys.learn(card.key.publicKey, at: DerivationPath())
        try open.session.createKey(chainCode: card.master.chainCode, cvc: cvc)
        #expect(open.session.knownKeys == KnownKeys())
    }

    @Test func aCardWithoutPathAfterNewFails() throws {
        let open = try OpenSession(
            .map(blank.status()), .map(["slot": .unsigned(0), "card_nonce": .bytes(TestCard.nonce(2))]),
            .map(blank.status(nonce: TestCard.nonce(2))))
        try expectFailure(of: .path) {
            try open.session.createKey(chainCode: ChainCode(repeating: 0x24), cvc: cvc)
        }
    }

    @Test func anotherSlotIsABadResponse() throws {
        let open = try OpenSession(
            .map(blank.status()), .map(["slot": .unsigned(1), "card_nonce": .bytes(TestCard.nonce(2))]))
        guard
            case .badResponse("new", "slot", _) = try tapError(from: {
                try open.session.createKey(chainCode: ChainCode(repeating: 0x24), cvc: cvc)
            })
        else {
            Issue.record("Another error.")
            return
        }
    }

    @Test func changesTheCVC() throws {
        let rows = try CardVectors.rows("change_command")
        #expect(rows.count == 2)
        for row in rows {
            let open = try OpenSession(
                .map(try CardVectors.status(nonce: try row.bytes("card_nonce"))),
                .map(["success": .bool(true), "card_nonce": .bytes(TestCard.nonce(2))]),
                random: ScriptedRandom(try row.bytes("ephemeral_private_key")))
            try open.session.changeCVC(from: try CVC(try row.text("old_cvc")), to: try CVC(try row.text("new_cvc")))
            let request = try #require(open.channel.maps(of: "change").first)
            #expect(request["data"] == .bytes(try row.bytes("data")), "\(row.testDescription)")
            #expect(request["xcvc"] == .bytes(try row.bytes("xcvc")))
            #expect(request["epubkey"] == .bytes(try row.bytes("epubkey")))
        }
    }

    @Test func aChangeWithoutSuccessIsABadResponse() throws {
        for success in [CBORValue.bool(false), .unsigned(1), .null] {
            let open = try OpenSession(
                .map(card.status()), .map(["success": success, "card_nonce": .bytes(TestCard.nonce(2))]))
            guard
                case .badResponse("change", "success", _) = try tapError(from: {
                    try open.session.changeCVC(from: cvc, to: cvc)
                })
            else {
                Issue.record("\(success)")
                continue
            }
        }
    }

    @Test func backsUp() throws {
        let row = try #require(try CardVectors.rows("backup").first)
        var later = card
        later.backupCount += 1
        let data = try row.bytes("data")
        let open = try OpenSession(
            .map(card.status()), .map(["data": .bytes(data), "card_nonce": .bytes(TestCard.nonce(2))]),
            .map(later.status(nonce: TestCard.nonce(2))))
        #expect(try open.session.backup(cvc: cvc).bytes == data)
        #expect(open.session.status.backupCount == 2)
    }

    @Test func productsWithoutACommandAreNotAsked() throws {
        var chip = card.status()
        chip["satschip"] = .bool(true)
        chip["num_backups"] = nil
        let open = try OpenSession(.map(chip))
        #expect(throws: TapError.notSupported(command: "backup", product: .satschip)) {
            try open.session.backup(cvc: cvc)
        }
        let satscard = try OpenSession(.map(try CardVectors.status(nonce: TestCard.firstNonce, isSatscard: true)))
        #expect(throws: TapError.notSupported(command: "xpub", product: .satscard)) {
            try satscard.session.extendedPublicKey(master: true, cvc: cvc)
        }
        #expect(open.channel.requests.count + satscard.channel.requests.count == 2)
    }

    /// `belongs` says so of the proven master key; a key with another chain code is another's.
    @Test func anothersBackupIsNotTheCards() throws {
        let row = try #require(try CardVectors.rows("backup").first)
        let backup = try Backup(decrypting: try row.bytes("data"), key: try Backup.Key(hex: try row.text("aes_key")))
        let published = try #require(try CardVectors.rows("xpub_response").dropFirst(2).first)
        let open = try OpenSession(
            .map(card.status()),
            .map(["xpub": .bytes(try published.bytes("bytes")), "card_nonce": .bytes(TestCard.nonce(2))]))
        let master = try open.session.extendedPublicKey(master: true, cvc: cvc)
        #expect(backup.belongs(to: master))
        let twin = ExtendedPublicKey(
            network: master.network, chainCode: card.master.chainCode, publicKey: master.publicKey)
        #expect(!backup.belongs(to: twin) && !backup.belongs(to: card.master.neutered))
    }
}
