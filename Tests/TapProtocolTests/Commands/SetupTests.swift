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

    @Test func ourChainCodeMustComeBack() throws {
        let ours = [UInt8](repeating: 0x24, count: 32)
        for (chainCode, isOurs) in [(ours, true), ([UInt8](repeating: 0x25, count: 32), false)] {
            let open = try OpenSession(
                .map(blank.status()), .map(["slot": .unsigned(0), "card_nonce": .bytes(TestCard.nonce(2))]),
                .map(card.status(nonce: TestCard.nonce(2))),
                .computed { [card] _ in try card.extendedKey(at: DerivationPath(), next: TestCard.nonce(3)) })
            let create = { try open.session.createKey(chainCode: chainCode, cvc: cvc) }
            if isOurs {
                #expect(try create() == card.master.neutered)
                #expect(open.session.status.isSetUp)
            } else {
                try expectFailure(of: .chainCode, from: create)
            }
            #expect(open.channel.maps(of: "new").first?["chain_code"] == .bytes(chainCode))
            #expect(open.channel.commandNames == ["select", "new", "status", "xpub"])
        }
    }

    @Test func aCardWithoutPathAfterNewFails() throws {
        let open = try OpenSession(
            .map(blank.status()), .map(["slot": .unsigned(0), "card_nonce": .bytes(TestCard.nonce(2))]),
            .map(blank.status(nonce: TestCard.nonce(2))))
        try expectFailure(of: .path) {
            try open.session.createKey(chainCode: [UInt8](repeating: 0x24, count: 32), cvc: cvc)
        }
    }

    @Test(arguments: [0, 31, 33])
    func aChainCodeHas32Bytes(count: Int) throws {
        guard
            case .invalidArgument("new", _) = try tapError(from: {
                try NewCommand(chainCode: [UInt8](repeating: 1, count: count))
            })
        else {
            Issue.record("Another error.")
            return
        }
    }

    @Test func anotherSlotIsABadResponse() throws {
        let open = try OpenSession(
            .map(blank.status()), .map(["slot": .unsigned(1), "card_nonce": .bytes(TestCard.nonce(2))]))
        guard
            case .badResponse("new", "slot", _) = try tapError(from: {
                try open.session.createKey(chainCode: [UInt8](repeating: 0x24, count: 32), cvc: cvc)
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
        #expect(try open.session.backup(cvc: cvc) == data)
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

    @Test func anothersBackupFails() throws {
        let row = try #require(try CardVectors.rows("backup").first)
        let backup = try Backup(decrypting: try row.bytes("data"), key: try Backup.Key(hex: try row.text("aes_key")))
        let open = try OpenSession(
            .map(card.status()), .computed { [card] _ in try card.extendedKey(at: DerivationPath()) },
            .map(try CardVectors.status(nonce: TestCard.firstNonce)))
        try expectFailure(of: .backup) { try open.session.proveBackup(backup, cvc: cvc) }

        let master = try #require(try CardVectors.rows("xpub_response").dropFirst(2).first)
        let owner = try OpenSession(
            .map(card.status()),
            .map(["xpub": .bytes(try master.bytes("bytes")), "card_nonce": .bytes(TestCard.nonce(2))]))
        try owner.session.proveBackup(backup, cvc: cvc)
    }
}
