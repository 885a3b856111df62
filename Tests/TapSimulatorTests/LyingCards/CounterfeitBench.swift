import Bitcoin
import ByteCodec
import Testing

@testable import LyingCards
@testable import TapSimulator

/// A dishonest card in use, an app that speaks to it, and what it really holds.
struct CounterfeitBench {
    let app: AppSide
    let accomplice: Accomplice

    var card: SimulatedCard { app.card }

    /// A card of a model, honest until now: a signer with a key, a SATSCARD with slot 0 opened and slot 1 sealed.
    init(_ lies: Dishonesty..., model: PublishedCommandsTests.Model) throws {
        app = try model.app()
        accomplice = try Accomplice(of: .standard)
        try app.card.lie(lies, accomplice: accomplice)
        _ = try app.send("status")
    }

    var accompliceKey: PublicKey { get throws { try PrivateKey(accomplice.cardKey.bytes).publicKey } }
    var rootKey: PublicKey { get throws { try SimulatedFactory.standard.rootKey } }
    /// The other key that lies are told with.
    var otherSlotKey: PublicKey { get throws { try accomplice.key.slotKey(.main).publicKey } }

    /// Where the card's certificates lead from a key.
    func root(from key: PublicKey) throws -> PublicKey? {
        guard case .array(let chain)? = try app.send("certs")["cert_chain"] else { return nil }
        return ChainVerifier.root(of: chain.compactMap(\.content), from: key)
    }

    /// Whether `check` is signed by a key, with a slot's key in it if there is one.
    func isChecked(by key: PublicKey, slotKey: [UInt8] = []) throws -> Bool {
        let answer = try app.sendWithNonce("check")
        let signature = try #require(ECDSASignature(compact: try answer.content("auth_sig")))
        return key.isValid(signature, for: app.digest(rest: slotKey))
    }

    /// The sealed slot's true key.
    func sealedKey() throws -> PublicKey {
        guard case .satscard(let slots) = card.state.content, let key = slots.sealedKey else {
            throw SimulatedCardError(.badOptions, "No slot is sealed.")
        }
        return try key.slotKey(.main).publicKey
    }

    /// A SATSCARD's `read`, whose signature is right for its key.
    func read(slot: UInt8) throws -> PublicKey {
        let answer = try app.sendWithNonce("read")
        let key = try PublicKey(answer.content("pubkey"))
        let signature = try #require(ECDSASignature(compact: try answer.content("sig")))
        #expect(key.isValid(signature, for: app.digest(rest: [slot])))
        return key
    }

    /// The key that a SATSCARD's `derive` leads to; its signature is right.
    func derived() throws -> (slotKey: PublicKey, chainCode: [UInt8]) {
        let answer = try app.sendWithNonce("derive")
        let master = try PublicKey(answer.content("master_pubkey"))
        let chainCode = try answer.content("chain_code")
        let signature = try #require(ECDSASignature(compact: try answer.content("sig")))
        #expect(master.isValid(signature, for: app.digest(rest: chainCode)))
        let tree = ExtendedPublicKey(
            network: .main, depth: 0, childNumber: ChildNumber(rawValue: 0),
            chainCode: try #require(ChainCode(chainCode)),
            publicKey: master)
        return (try tree.descendant(DerivationPath([ChildNumber(rawValue: 0)])).publicKey, chainCode)
    }

    /// `xpub`.
    func xpub(master: Bool) throws -> ExtendedPublicKey {
        try ExtendedPublicKey(serialized: try app.sendWithCVC("xpub", ["master": .bool(master)]).content("xpub"))
    }

    /// What `backup` holds.
    func backup() throws -> (master: ExtendedPrivateKey, path: String) {
        let data = try app.sendWithCVC("backup").content("data")
        let aesKey = SecretBytes(try Hex.decode(try #require(card.record.aesKey)))
        let text = String(decoding: try #require(AES128CTR.crypt(data, key: aesKey)), as: UTF8.self)
        let lines = text.split(separator: "\n")
        return (try ExtendedPrivateKey(parsing: String(lines[0])), String(lines[1]))
    }

    /// The address ends that belong to a key.
    func ends(_ key: PublicKey) -> String {
        let program = Bech32.fiveBitValues(of: key.hash160)
        let text = Bech32.encode(humanReadablePart: "bc", values: [0] + program, variant: .bech32)
        return "\(text.prefix(12))___\(text.suffix(12))"
    }
}
