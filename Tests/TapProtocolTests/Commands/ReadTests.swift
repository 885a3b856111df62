import Bitcoin
import ByteCodec
import TestSupport
import Testing

@testable import TapProtocol

@Suite struct ReadTests {
    @Test func tapsigner() throws {
        let rows = try CardVectors.rows("read_tapsigner")
        #expect(rows.count == 1)
        for row in rows {
            let open = try OpenSession(
                .data(try row.bytes("status_cbor")), .data(try row.bytes("response_cbor")),
                random: ScriptedRandom(try row.bytes("nonce") + row.bytes("ephemeral_private_key")))
            let key = try open.session.read(cvc: try CVC(try row.text("cvc")))
            #expect(key.bytes == (try row.bytes("pubkey")))
            let request = try #require(open.channel.maps(of: "read").first)
            #expect(request["xcvc"] == .bytes(try row.bytes("xcvc")))
            #expect(request["epubkey"] == .bytes(try row.bytes("epubkey")))
            #expect(request["nonce"] == .bytes(try row.bytes("nonce")))
        }
    }

    @Test func satscard() throws {
        let rows = try CardVectors.rows("read_satscard")
        #expect(rows.count == 3)
        for row in rows {
            let open = try OpenSession(
                .data(try row.bytes("status_cbor")), .data(try row.bytes("response_cbor")),
                random: ScriptedRandom(try row.bytes("nonce")))
            let status = open.session.status
            #expect(status.slots?.active == (try row.number("slot")))
            #expect(status.isTestnet == (try row.flag("testnet")))
            #expect(status.address?.description == (try row.text("trimmed_address")))
            #expect(try open.session.read().bytes == row.bytes("pubkey"))
        }
    }

    @Test func trimmedAddress() throws {
        let rows = try CardVectors.rows("trimmed_address")
        #expect(rows.count == 1)
        for row in rows {
            let address = try #require(TrimmedAddress(parsing: try row.text("text")))
            #expect(address.head == (try row.text("left")))
            #expect(address.tail == (try row.text("right")))
            #expect(address.description.count == (try row.number("length")))
        }
    }

    @Test func aSlotKeyWithAnotherAddressFails() throws {
        let row = try #require(try CardVectors.rows("read_satscard").first)
        for address in ["bc1qrnt9uzjx___e4atrgkklpgr", "bc1qrnt9uzjy___e4atrgkklpgq", "tb1qrnt9uzjy___e4atrgkklpgr"] {
            var status = try row.map("status_cbor")
            status["addr"] = .text(address)
            let open = try OpenSession(
                .map(status), .data(try row.bytes("response_cbor")), random: ScriptedRandom(try row.bytes("nonce")))
            try expectFailure(of: .address) { try open.session.read() }
        }
    }

    @Test func aStaleCardNonceFails() throws {
        let row = try #require(try CardVectors.rows("read_satscard").first)
        var status = try row.map("status_cbor")
        status["card_nonce"] = .bytes(TestCard.firstNonce)
        let open = try OpenSession(
            .map(status), .data(try row.bytes("response_cbor")), random: ScriptedRandom(try row.bytes("nonce")))
        try expectFailure(of: .readSignature) { try open.session.read() }
    }

    @Test func anotherAppNonceFails() throws {
        let row = try #require(try CardVectors.rows("read_satscard").first)
        let open = try OpenSession(
            .data(try row.bytes("status_cbor")), .data(try row.bytes("response_cbor")),
            random: ScriptedRandom([UInt8](1...16)))
        try expectFailure(of: .readSignature) { try open.session.read() }
    }

    @Test func aTapsignerNeedsTheCVC() throws {
        let open = try OpenSession(.map(try TestCard().status()))
        #expect(throws: TapError.cvcNeeded(command: "read")) { try open.session.read() }
        #expect(open.channel.commandNames == ["select"])
    }

    /// Another key than the one at the path, hidden and signed as it should be.
    private func foreignKey(_ request: CBORMap, of card: TestCard, cardNonce: [UInt8]) throws -> CBORMap {
        let other = try card.privateKey(at: DerivationPath())
        let session = try card.sessionKey(for: request)
        let hidden = zip(other.publicKey.bytes.dropFirst(), session).map { $0 ^ $1 }
        return [
            "sig": try card.proof(for: request, cardNonce: cardNonce, content: [0], by: other),
            "pubkey": .bytes(other.publicKey.bytes.prefix(1) + hidden), "card_nonce": .bytes(TestCard.nonce(3)),
        ]
    }

    @Test func aKeyThatContradictsTheExtendedKeyFails() throws {
        let card = try TestCard()
        let open = try OpenSession(
            .map(card.status()), .computed { _ in try card.extendedKey(at: TestCard.path) },
            .computed { try foreignKey($0, of: card, cardNonce: TestCard.nonce(2)) })
        let cvc = try CVC(TestCard.cvc)
        _ = try open.session.extendedPublicKey(master: false, cvc: cvc)
        try expectFailure(of: .extendedKey) { try open.session.read(cvc: cvc) }
    }

    @Test func aTapsignerWithoutAPathHasNoKey() throws {
        var blank = try TestCard()
        blank.path = nil
        let open = try OpenSession(
            .map(blank.status()),
            .computed { [blank] in try foreignKey($0, of: blank, cardNonce: TestCard.firstNonce) })
        try expectFailure(of: .extendedKey) { try open.session.read(cvc: try CVC(TestCard.cvc)) }
    }
}
