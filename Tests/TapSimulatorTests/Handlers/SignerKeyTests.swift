import Bitcoin
import ByteCodec
import TestSupport
import Testing

@testable import TapSimulator

/// `new`, `read`, `derive` and `xpub` of a signer card.
@Suite struct SignerKeyTests {
    @Test func readAnswersThePublishedKey() throws {
        for row in try VectorCard.rows("read_tapsigner") {
            var core = try VectorCard.core(try VectorCard.tapsigner(), nonce: try row.bytes("card_nonce"))
            let answer = try core.run([
                "cmd": .text("read"), "nonce": .bytes(try row.bytes("nonce")),
                "epubkey": .bytes(try row.bytes("epubkey")), "xcvc": .bytes(try row.bytes("xcvc")),
            ])
            #expect(try answer.content("pubkey") == row.bytes("encrypted_pubkey"))
            let signature = try #require(ECDSASignature(compact: try answer.content("sig")))
            #expect(try row.publicKey("pubkey").isValid(signature, for: try row.digest("digest")))
        }
    }

    @Test(arguments: [false, true]) func deriveAnswersThePublishedKeys(byDerivedKey: Bool) throws {
        for row in try VectorCard.rows("derive_tapsigner") {
            let start = try VectorCard.core(try VectorCard.tapsigner(path: []))
            var core = CardCore(state: start.state.signingDerive(byDerivedKey: byDerivedKey))
            core.powerOn()
            core.power?.nonce = try row.bytes("card_nonce")
            let path = try row.numbers("indexes")
            let answer = try core.run([
                "cmd": .text("derive"), "nonce": .bytes(try row.bytes("nonce")),
                "path": .array(path.map(CBORValue.unsigned)), "epubkey": .bytes(try row.bytes("epubkey")),
                "xcvc": .bytes(try row.bytes("xcvc")),
            ])
            #expect(try answer.content("chain_code") == row.bytes("chain_code"))
            #expect(try answer.content("master_pubkey") == row.bytes("master_pubkey"))
            #expect(try answer.content("pubkey") == row.bytes("pubkey"))
            let signer = try row.publicKey(byDerivedKey ? "pubkey" : "master_pubkey")
            let signature = try #require(ECDSASignature(compact: try answer.content("sig")))
            #expect(signer.isValid(signature, for: try row.digest("digest")))
            #expect(core.state.signerKey?.path.map(UInt64.init) == path)
        }
    }

    @Test func xpubAnswersThePublishedSerializations() throws {
        let rows = try VectorCard.rows("xpub_response").filter { try $0.text("origin").hasPrefix("computed") }
        #expect(rows.count == 4)
        for row in rows {
            let core = try VectorCard.core(
                try VectorCard.tapsigner(), network: row["network"] == "testnet" ? .test : .main)
            let app = try AppSide(SimulatedCard(state: core.state, file: nil, waitDuration: .zero))
            let answer = try app.sendWithCVC("xpub", ["master": .bool(row["master"] == true)])
            #expect(try answer.content("xpub") == row.bytes("bytes"), "\(row)")
        }
    }

    @Test(arguments: [SimulatedProduct.tapsigner, .satschip])
    func nothingWorksBeforeNew(product: SimulatedProduct) throws {
        let app = try AppSide(SimulatedCardOptions(product: product))
        #expect(try app.sendWithCVC("read", wantsNonce: true).errorCode == 406)
        #expect(try app.sendWithCVC("derive", ["path": .array([])], wantsNonce: true).errorCode == 406)
        #expect(try app.sendWithCVC("xpub", ["master": .bool(true)]).errorCode == 406)
        #expect(try app.sendWithCVC("sign", hidden: ["digest": LifeCycleTests.chainCode]).errorCode == 406)
        if product == .tapsigner { #expect(try app.sendWithCVC("backup").errorCode == 406) }
    }

    @Test func newWorksOnceAndWantsAChainCode() throws {
        let app = try AppSide(SimulatedCardOptions(product: .tapsigner))
        #expect(try app.sendWithCVC("new").errorCode == 400)
        #expect(try app.sendWithCVC("new", ["chain_code": .bytes([1])]).errorCode == 400)
        let chainCode = CBORValue.bytes(LifeCycleTests.chainCode)
        #expect(try app.sendWithCVC("new", ["chain_code": chainCode, "slot": .unsigned(1)]).errorCode == 400)
        #expect(try app.send("new", ["chain_code": chainCode]).errorCode == 403)
        #expect(try app.send("status")["path"] == nil)
        #expect(try app.sendWithCVC("new", ["chain_code": chainCode, "slot": .unsigned(0)]).errorCode == nil)
        let master = try app.sendWithCVC("xpub", ["master": .bool(true)]).content("xpub")
        #expect(try app.sendWithCVC("new", ["chain_code": chainCode]).errorCode == 405)
        #expect(try app.sendWithCVC("xpub", ["master": .bool(true)]).content("xpub") == master)
    }

    @Test func deriveTakesHardenedStepsOnly() throws {
        let core = try VectorCard.core(try VectorCard.tapsigner())
        let app = try AppSide(SimulatedCard(state: core.state, file: nil, waitDuration: .zero))
        var bad = try VectorCard.rows("derive_path_invalid").map { try $0.numbers("indexes") }
        bad += [[0], [0x8000_0054, 1], [0x1_0000_0000]]
        for path in bad {
            let answer = try app.sendWithCVC(
                "derive", ["path": .array(path.map(CBORValue.unsigned))], wantsNonce: true)
            #expect(answer.errorCode == 400, "\(path)")
            #expect(app.card.state.signerKey?.path == SignerKey.startingPath)
        }
        var good = try VectorCard.rows("derive_path_longest").map { try $0.numbers("indexes") }
        good += [[], [0xFFFF_FFFF]]
        for path in good {
            let answer = try app.sendWithCVC(
                "derive", ["path": .array(path.map(CBORValue.unsigned))], wantsNonce: true)
            #expect(answer.errorCode == nil, "\(path)")
            #expect(try app.send("status")["path"] == .array(path.map(CBORValue.unsigned)))
        }
        // Without a path the one in force stays.
        #expect(try app.sendWithCVC("derive", wantsNonce: true).errorCode == nil)
        #expect(app.card.state.signerKey?.path == [0xFFFF_FFFF])
    }

    @Test func aWeakNonceChangesNothing() throws {
        let core = try VectorCard.core(try VectorCard.tapsigner())
        let app = try AppSide(SimulatedCard(state: core.state, file: nil, waitDuration: .zero))
        let weak = CBORValue.bytes([UInt8](repeating: 1, count: 16))
        #expect(try app.sendWithCVC("derive", ["path": .array([]), "nonce": weak]).errorCode == 417)
        #expect(try app.sendWithCVC("read", ["nonce": weak]).errorCode == 417)
        #expect(app.card.state.signerKey?.path == SignerKey.startingPath)
    }
}

extension SimulatedCardState {
    /// The same card with the other habit of signing `derive`.
    fileprivate func signingDerive(byDerivedKey: Bool) -> Self {
        Self(
            network: network, version: version, birth: birth, factory: factory, cardKey: cardKey,
            certificates: certificates, seed: seed, unluckyPercent: unluckyPercent,
            signsDeriveWithDerivedKey: byDerivedKey, cvc: cvc, content: content)
    }
}
