import Bitcoin
import ByteCodec

@testable import TapProtocol

/// A SATSCARD in the test's hands, and the answers it gives.
struct TestSatscard {
    static let slotCount = 10

    let card: TestCard
    /// The slot that `status` calls active.
    var active = 0
    var total = slotCount
    /// Whether `status` shows the ends of the active slot's address.
    var isUsed = true
    var isTestnet = false

    init(active: Int = 0, version: String = "1.0.3") throws {
        card = try TestCard(version: version)
        self.active = active
    }

    /// A slot's master key and chain code; another one for each slot.
    func master(_ slot: Int) throws -> ExtendedPrivateKey {
        let key = try PrivateKey(SecretBytes([UInt8](repeating: 0x50 + UInt8(slot), count: 32)))
        let chainCode = ChainCode(repeating: 0x70 + UInt8(slot))
        let master = ExtendedPrivateKey(master: key, chainCode: chainCode, network: .main)
        return master
    }

    /// A slot's key.
    func key(_ slot: Int) throws -> PrivateKey { try master(slot).child(ChildNumber(rawValue: 0)).privateKey }

    /// A slot's address.
    func address(_ slot: Int) throws -> String { try Self.address(of: key(slot).publicKey, isTestnet: isTestnet) }

    static func address(of key: PublicKey, isTestnet: Bool = false) throws -> String {
        guard let script = Script.p2wpkh(keyHash: key.hash160),
            let address = Address(scriptPubKey: script, network: isTestnet ? .test : .main)
        else { throw KeyError.length(0) }
        return address.description
    }

    /// Both ends of an address.
    static func trimmed(_ address: String) -> String { "\(address.prefix(12))___\(address.suffix(12))" }

    /// The answer to `status` and SELECT.
    func status(nonce: [UInt8] = TestCard.firstNonce) throws -> CBORMap {
        var map: CBORMap = [
            "proto": .unsigned(1), "ver": .text(card.version), "birth": .unsigned(card.birth),
            "slots": .array([.unsigned(UInt64(active)), .unsigned(UInt64(total))]),
        ]
        if isUsed { map["addr"] = .text(Self.trimmed(try address(active))) }
        map["pubkey"] = .bytes(card.key.publicKey.bytes)
        map["card_nonce"] = .bytes(nonce)
        if isTestnet { map["testnet"] = .bool(true) }
        return map
    }

    /// The answer to `read`, by default right in every respect.
    func read(
        _ request: CBORMap, cardNonce: [UInt8] = TestCard.firstNonce, next: [UInt8] = TestCard.nonce(2),
        slot: Int? = nil, by key: PrivateKey? = nil
    ) throws -> CBORMap {
        let key = try key ?? self.key(active)
        return [
            "sig": try card.proof(for: request, cardNonce: cardNonce, content: [UInt8(slot ?? active)], by: key),
            "pubkey": .bytes(key.publicKey.bytes), "card_nonce": .bytes(next),
        ]
    }

    /// The answer to `check`.
    /// - Parameter content: the sealed slot's key, or nothing.
    func check(
        _ request: CBORMap, over content: [UInt8], cardNonce: [UInt8] = TestCard.nonce(2),
        next: [UInt8] = TestCard.nonce(3)
    ) throws -> CBORMap {
        [
            "auth_sig": try card.proof(for: request, cardNonce: cardNonce, content: content, by: card.key),
            "card_nonce": .bytes(next),
        ]
    }

    /// The answer to `derive`.
    func derive(
        _ request: CBORMap, cardNonce: [UInt8] = TestCard.firstNonce, next: [UInt8] = TestCard.nonce(2),
        master: ExtendedPrivateKey? = nil, by signer: PrivateKey? = nil
    ) throws -> CBORMap {
        let master = try master ?? self.master(active)
        return [
            "sig": try card.proof(
                for: request, cardNonce: cardNonce, content: master.chainCode.bytes, by: signer ?? master.privateKey),
            "chain_code": .bytes(master.chainCode.bytes), "master_pubkey": .bytes(master.privateKey.publicKey.bytes),
            "card_nonce": .bytes(next),
        ]
    }

    /// The answer to `unseal`, and to `dump` with the CVC.
    func opened(
        _ request: CBORMap, slot: Int, keysOf other: Int? = nil, hidesMaster: Bool = false,
        next: [UInt8] = TestCard.nonce(2)
    ) throws -> CBORMap {
        let (key, master) = (try key(other ?? slot), try master(other ?? slot))
        let (privateKey, masterKey) = (
            key.secret.withBytes { Array($0) }, master.privateKey.secret.withBytes { Array($0) }
        )
        return [
            "slot": .unsigned(UInt64(slot)), "privkey": .bytes(try hidden(privateKey, for: request)),
            "pubkey": .bytes(key.publicKey.bytes),
            "master_pk": .bytes(hidesMaster ? try hidden(masterKey, for: request) : masterKey),
            "chain_code": .bytes(master.chainCode.bytes), "card_nonce": .bytes(next),
        ]
    }

    /// Bytes under the session key of a request.
    func hidden(_ bytes: [UInt8], for request: CBORMap) throws -> [UInt8] {
        try zip(bytes, card.sessionKey(for: request)).map { $0 ^ $1 }
    }

    /// The answer to `sign` with a slot's key.
    func signature(
        _ request: CBORMap, slot: Int, by key: PrivateKey? = nil, next: [UInt8] = TestCard.nonce(2),
        adjusting adjust: (ECDSASignature, Digest) throws -> [UInt8] = { signature, _ in signature.compact }
    ) throws -> CBORMap {
        var answer = try card.signature(for: request, next: next, key: key ?? self.key(slot), adjusting: adjust)
        answer["slot"] = .unsigned(UInt64(slot))
        return answer
    }
}
