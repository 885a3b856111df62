import Bitcoin
import ByteCodec
import Testing

@testable import TapSimulator

@Suite struct LifeCycleTests {
    static let chainCode = [UInt8](1...32)

    @Test(arguments: AppletVersion.allCases) func aTapsignerLives(version: AppletVersion) throws {
        var options = SimulatedCardOptions(product: .tapsigner)
        options.network = .test
        options.version = version
        options.unluckyPercent = 0
        let app = try AppSide(options)
        let fresh = try app.send("status")
        #expect(fresh["tapsigner"] == .bool(true))
        #expect(fresh["path"] == nil)
        #expect(fresh["testnet"] == .bool(true))
        #expect(try fresh.string("ver") == version.rawValue)

        #expect(try app.sendWithCVC("new", ["chain_code": .bytes(Self.chainCode)])["slot"] == .unsigned(0))
        let hardened: [UInt64] = [0x8000_0054, 0x8000_0000, 0x8000_0000]
        #expect(try app.send("status")["path"] == .array(hardened.map(CBORValue.unsigned)))

        let master = try ExtendedPublicKey(
            serialized: app.sendWithCVC("xpub", ["master": .bool(true)]).content("xpub"))
        #expect(master.chainCode.bytes == Self.chainCode)
        #expect(master.network == .test)
        let backup = try app.sendWithCVC("backup").content("data")
        let aesKey = try Hex.decode(#require(app.card.record.aesKey))
        let text = try #require(AES128CTR.crypt(backup, key: SecretBytes(aesKey)))
        let lines = String(decoding: text, as: UTF8.self).split(separator: "\n")
        let opened = try ExtendedPrivateKey(parsing: #require(lines.first))
        #expect(opened.neutered == master)
        #expect(lines.last == "m/84h/0h/0h")
        #expect(try app.send("status")["num_backups"] == .unsigned(1))

        #expect(try app.sendWithCVC("change", hidden: ["data": Array("98765432".utf8)])["success"] == .bool(true))
        app.cvc = "98765432"
        let path: [UInt64] = [0x8000_0030, 0x8000_0001]
        let derived = try app.sendWithCVC(
            "derive", ["path": .array(path.map(CBORValue.unsigned))], wantsNonce: true)
        let signature = try #require(ECDSASignature(compact: try derived.content("sig")))
        #expect(try derived.content("master_pubkey") == master.publicKey.bytes)
        #expect(master.publicKey.isValid(signature, for: app.digest(rest: try derived.content("chain_code"))))

        let digest = Digest(hashing: [7])
        let subpath = CBORValue.array([.unsigned(1), .unsigned(7)])
        let signed = try app.sendWithCVC("sign", ["subpath": subpath], hidden: ["digest": digest.bytes])
        let expected = try opened.descendant(DerivationPath(parsing: "m/48h/1h/1/7")).privateKey.publicKey
        #expect(try signed.content("pubkey") == expected.bytes)
        let made = try #require(ECDSASignature(compact: try signed.content("sig")))
        #expect(expected.isValid(made, for: digest))
        #expect(made.hasLowR && made.hasLowS)
    }
}
