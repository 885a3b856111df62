import Bitcoin
import ByteCodec
import TestSupport
import Testing

@testable import TapSimulator

/// What only a SATSCARD does: slots.
@Suite struct SatscardTests {
    private func key(_ row: VectorRow) throws -> PickedKey {
        PickedKey(
            masterKey: try PrivateKey(SecretBytes(try row.bytes("master_pk_plain"))),
            chainCode: try row.bytes("chain_code"))
    }

    @Test func answersAsPublished() throws {
        let unseals = try VectorCard.rows("unseal")
        let reads = try VectorCard.rows("read_satscard")
        let derives = try VectorCard.rows("derive_satscard")
        #expect(unseals.count == 3)
        for (unseal, (read, derive)) in zip(unseals, zip(reads, derives)) {
            let slot = try unseal.number("slot")
            let network: SimulatedNetwork = unseal["testnet"] == true ? .test : .main
            let card = VectorCard.satscard(active: slot, key: try key(unseal))

            var core = try VectorCard.core(card, nonce: try read.bytes("card_nonce"), network: network)
            var answer = try core.run(["cmd": .text("read"), "nonce": .bytes(try read.bytes("nonce"))])
            #expect(try answer.content("pubkey") == read.bytes("pubkey"))
            var signature = try #require(ECDSASignature(compact: try answer.content("sig")))
            #expect(try read.publicKey("pubkey").isValid(signature, for: try read.digest("digest")))

            core = try VectorCard.core(card, nonce: try derive.bytes("card_nonce"), network: network)
            answer = try core.run(["cmd": .text("derive"), "nonce": .bytes(try derive.bytes("nonce"))])
            #expect(try answer.content("chain_code") == derive.bytes("chain_code"))
            #expect(try answer.content("master_pubkey") == derive.bytes("master_pubkey"))
            signature = try #require(ECDSASignature(compact: try answer.content("sig")))
            #expect(try derive.publicKey("master_pubkey").isValid(signature, for: try derive.digest("digest")))

            core = try VectorCard.core(card, nonce: try unseal.bytes("card_nonce"), network: network)
            answer = try core.run([
                "cmd": .text("unseal"), "slot": .unsigned(UInt64(slot)),
                "epubkey": .bytes(try unseal.bytes("epubkey")), "xcvc": .bytes(try unseal.bytes("xcvc")),
            ])
            guard case .map(var expected) = try CBORDecoder.decode(try unseal.bytes("response_cbor")) else {
                Issue.record("\(unseal): no map")
                continue
            }
            expected["card_nonce"] = .bytes(core.nonce)
            #expect(answer == expected, "\(unseal)")
        }
    }

    @Test(arguments: AppletVersion.allCases) func aSlotLives(version: AppletVersion) throws {
        var options = SimulatedCardOptions(product: .satscard)
        options.isBlank = true
        options.version = version
        options.unluckyPercent = 0
        let app = try AppSide(options)
        #expect(try app.send("status")["addr"] == nil)
        #expect(try app.sendWithNonce("read").errorCode == 406)
        _ = try app.send("status")
        #expect(try app.sendWithNonce("derive").errorCode == 406)
        _ = try app.send("status")
        #expect(try app.send("dump", ["slot": .unsigned(0)])["used"] == .bool(false))
        #expect(try app.sendWithCVC("new", ["slot": .unsigned(0)]).errorCode == 400)
        _ = try app.send("status")
        let chainCode = LifeCycleTests.chainCode
        #expect(try app.sendWithCVC("new", ["slot": .unsigned(0), "chain_code": .bytes(chainCode)]).errorCode == nil)
        #expect(try app.sendWithCVC("new", ["slot": .unsigned(0), "chain_code": .bytes(chainCode)]).errorCode == 406)
        _ = try app.send("status")
        #expect(try app.send("dump", ["slot": .unsigned(0)])["sealed"] == .bool(true))
        #expect(try app.sendWithNonce("derive").content("chain_code") == chainCode)
        let slotKey = try PublicKey(app.sendWithNonce("read").content("pubkey"))

        let digest = Digest(hashing: [1])
        #expect(try app.sendWithCVC("sign", hidden: ["digest": digest.bytes]).errorCode == 406)
        _ = try app.send("status")
        #expect(try app.sendWithCVC("unseal", ["slot": .unsigned(1)]).errorCode == 400)
        _ = try app.send("status")
        let unsealed = try app.sendWithCVC("unseal", ["slot": .unsigned(0)])
        let secret = app.reveal(try unsealed.content("privkey"))
        #expect(try PrivateKey(SecretBytes(secret)).publicKey == slotKey)

        let signed = try app.sendWithCVC("sign", ["slot": .unsigned(0)], hidden: ["digest": digest.bytes])
        let signature = try #require(ECDSASignature(compact: try signed.content("sig")))
        #expect(slotKey.isValid(signature, for: digest))
        let withPath = ["slot": .unsigned(0), "subpath": .array([])] as CBORMap
        #expect(try app.sendWithCVC("sign", withPath, hidden: ["digest": digest.bytes]).errorCode == 400)
        _ = try app.send("status")

        let open = try app.send("dump", ["slot": .unsigned(0)])
        #expect(open["sealed"] == .bool(false))
        #expect((open["pubkey"] != nil) == (version == .v103))
        #expect(try open.string("addr") == (try app.card.record.slots)?[0].address)
        let dumped = try app.sendWithCVC("dump", ["slot": .unsigned(0)])
        #expect(app.reveal(try dumped.content("privkey")) == secret)
        let master = try PrivateKey(SecretBytes(app.reveal(try dumped.content("master_pk"))))
        #expect(master.publicKey != slotKey)
        #expect(try dumped.content("chain_code") == chainCode)

        // The next slot reuses the chain code.
        #expect(try app.send("status")["slots"] == .array([.unsigned(1), .unsigned(10)]))
        #expect(try app.sendWithCVC("new", ["slot": .unsigned(1)])["slot"] == .unsigned(1))
        #expect(try app.sendWithNonce("derive").content("chain_code") == chainCode)
    }

    @Test func theLastSlotEndsTheCard() throws {
        var options = SimulatedCardOptions(product: .satscard)
        options.usedSlots = 9
        let app = try AppSide(options)
        #expect(try app.sendWithCVC("unseal", ["slot": .unsigned(9)]).errorCode == nil)
        #expect(try app.sendWithCVC("new", ["slot": .unsigned(9)]).errorCode == 405)
        #expect(try app.sendWithCVC("unseal", ["slot": .unsigned(9)]).errorCode == 400)
        #expect(try app.sendWithNonce("read").errorCode == 406)
        #expect(try app.card.record.slots?.allSatisfy { $0.state == .unsealed } == true)
    }

    @Test func theFactoryPreparesWhatIsAsked() throws {
        for (used, blank, sealed, unused) in [(0, false, 1, 9), (0, true, 0, 10), (3, false, 1, 6), (10, false, 0, 0)] {
            var options = SimulatedCardOptions(product: .satscard)
            options.usedSlots = used
            options.isBlank = blank
            let slots = try #require(try SimulatedCard(options, waitDuration: .zero).record.slots)
            #expect(slots.filter { $0.state == .unsealed }.count == used)
            #expect(slots.filter { $0.state == .sealed }.count == sealed)
            #expect(slots.filter { $0.state == .unused }.count == unused)
            #expect(slots.allSatisfy { ($0.address == nil) == ($0.state == .unused) })
        }
    }
}
