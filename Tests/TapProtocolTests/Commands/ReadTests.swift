import Bitcoin
import ByteCodec
import TestSupport
import Testing

@testable import TapProtocol

@Suite struct ReadTests {
    @Test func aSignerIsNeverAsked() throws {
        let rows = try CardVectors.rows("read_tapsigner")
        #expect(rows.count == 1)
        for row in rows {
            for isSatschip in [false, true] {
                var status = try row.map("status_cbor")
                if isSatschip { status["satschip"] = .bool(true) }
                let product: CardProduct = isSatschip ? .satschip : .tapsigner
                let open = try OpenSession(.map(status), .data(try row.bytes("response_cbor")))
                #expect(throws: TapError.notSupported(command: "read", product: product)) { try open.session.read() }
                #expect(throws: TapError.notSupported(command: "read", product: product)) {
                    try open.session.send(ReadCommand(), cvc: try CVC(try row.text("cvc")))
                }
                #expect(open.channel.commandNames == ["select"])
            }
        }
    }

    /// Why: to whoever knows the key at the path, which `xpub` and `derive` say aloud, the published exchange is the CVC.
    @Test func aSignersAnswerGivesTheCVCAway() throws {
        for row in try CardVectors.rows("read_tapsigner") {
            let answer = try row.map("response_cbor")
            guard case .bytes(let hiddenKey)? = answer["pubkey"] else { throw KeyError.length(0) }
            let sessionKey = xor(hiddenKey.dropFirst(), try row.bytes("pubkey").dropFirst())
            #expect(sessionKey == (try row.bytes("session_key")))
            let mask = SHA256.hash(try row.bytes("card_nonce") + Array("read".utf8))
            let cvc = xor(try row.bytes("xcvc"), xor(sessionKey, mask))
            #expect(String(decoding: cvc, as: UTF8.self) == (try row.text("cvc")))
        }
    }

    private func xor(_ one: some Sequence<UInt8>, _ other: some Sequence<UInt8>) -> [UInt8] {
        zip(one, other).map { $0 ^ $1 }
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

    @Test func aSlotKeyDoesNotChange() throws {
        let card = try TestSatscard(active: 2)
        let open = try OpenSession(.map(try card.status()), .computed { try card.read($0) })
        open.session.knownKeys.learn(try card.key(1).publicKey, of: SlotNumber(index: 2))
        try expectFailure(of: .slotKey) { try open.session.read() }
    }

    @Test func aSlotWithoutAnAddressHasNoKey() throws {
        var card = try TestSatscard(active: 2)
        card.isUsed = false
        let open = try OpenSession(.map(try card.status()), .computed { [card] in try card.read($0) })
        try expectFailure(of: .address) { try open.session.read() }
    }
}
