import Bitcoin
import ByteCodec

@testable import TapProtocol

/// The keys of the vectors' card, and the answers it gives: a card in the test's hands.
struct TestCard {
    /// Where the answers are from.
    static let cvc = "123456"
    static let firstNonce = [UInt8](0x10...0x1F)
    static let path = DerivationPath([84, 0, 0].map { ChildNumber(rawValue: $0 | 0x8000_0000) })

    let key: PrivateKey
    let master: ExtendedPrivateKey
    var version = "1.0.3"
    var birth: UInt64 = 700_553
    var path: DerivationPath? = Self.path
    var backupCount: UInt64 = 1
    var authDelay: UInt64 = 0

    /// A card whose own key has this number; two numbers are two cards.
    init(_ number: UInt8 = 1, version: String = "1.0.3") throws {
        key = try PrivateKey(SecretBytes([UInt8](repeating: number, count: 32)))
        let master = ExtendedPrivateKey(
            master: try PrivateKey(SecretBytes([UInt8](repeating: 0x42, count: 32))),
            chainCode: ChainCode(repeating: 0x24), network: .main)
        self.master = master
        self.version = version
    }

    /// A nonce that differs from others with another number.
    static func nonce(_ number: UInt8) -> [UInt8] { [number] + firstNonce.dropFirst() }

    /// The answer to `status` and SELECT.
    func status(nonce: [UInt8] = firstNonce) -> CBORMap {
        var map: CBORMap = [
            "proto": .unsigned(1), "ver": .text(version), "birth": .unsigned(birth), "tapsigner": .bool(true),
            "num_backups": .unsigned(backupCount), "pubkey": .bytes(key.publicKey.bytes), "card_nonce": .bytes(nonce),
        ]
        if let path { map["path"] = .array(path.steps.map { .unsigned(UInt64($0.rawValue)) }) }
        if authDelay > 0 { map["auth_delay"] = .unsigned(authDelay) }
        return map
    }

    /// A refusal.
    static func refusal(_ number: UInt64, _ text: String = "refused") -> CBORMap {
        ["error": .text(text), "code": .unsigned(number)]
    }

    /// The key below the master key.
    func privateKey(at path: DerivationPath) throws -> PrivateKey { try master.descendant(path).privateKey }

    /// The master key with another chain code, or as it is.
    func master(_ chainCode: ChainCode?) throws -> ExtendedPrivateKey {
        guard let chainCode else { return master }
        let twin = ExtendedPrivateKey(master: master.privateKey, chainCode: chainCode, network: master.network)
        return twin
    }

    /// The sub-path in a request to `sign`.
    static func subpath(of request: CBORMap) throws -> DerivationPath {
        guard case .array(let items)? = request["subpath"] else { throw KeyError.length(0) }
        return DerivationPath(
            try items.map {
                guard case .unsigned(let step) = $0, let step = UInt32(exactly: step) else { throw KeyError.length(0) }
                return ChildNumber(rawValue: step)
            })
    }

    /// The secret that the card shares with the sender of a request.
    func sessionKey(for request: CBORMap) throws -> [UInt8] {
        guard case .bytes(let ephemeral)? = request["epubkey"] else { throw KeyError.length(0) }
        return try key.sharedSecret(with: PublicKey(ephemeral)).withBytes { Array($0) }
    }

    /// The CVC that a request carries, if it was hidden under this nonce.
    func cvc(in request: CBORMap, nonce: [UInt8]) throws -> String {
        guard case .bytes(let hidden)? = request["xcvc"], case .text(let command)? = request["cmd"] else { return "" }
        let mask = SHA256.hash(nonce + Array(command.utf8))
        let digits = try zip(hidden, zip(sessionKey(for: request), mask)).map { $0 ^ $1.0 ^ $1.1 }
        return String(decoding: digits, as: UTF8.self)
    }

    /// What a request hides under its session key.
    func revealed(_ field: String, in request: CBORMap) throws -> [UInt8] {
        guard case .bytes(let hidden)? = request[field] else { throw KeyError.length(0) }
        return try zip(hidden, sessionKey(for: request)).map { $0 ^ $1 }
    }

    /// The digest that a request hides.
    func revealedDigest(in request: CBORMap) throws -> Digest {
        let bytes = try revealed("digest", in: request)
        guard let digest = Digest(bytes) else { throw KeyError.length(bytes.count) }
        return digest
    }

    /// The answer to `sign`, by default right in every respect.
    func signature(
        for request: CBORMap, next: [UInt8] = nonce(2), key: PrivateKey? = nil,
        adjusting adjust: (ECDSASignature, Digest) throws -> [UInt8] = { signature, _ in signature.compact }
    ) throws -> CBORMap {
        let digest = try revealedDigest(in: request)
        let key = try key ?? privateKey(at: path ?? DerivationPath())
        return [
            "slot": .unsigned(0), "sig": .bytes(try adjust(key.signGrindingLowR(digest: digest), digest)),
            "pubkey": .bytes(key.publicKey.bytes), "card_nonce": .bytes(next),
        ]
    }

    /// A signature by `key` over what a command with a nonce of the app has to sign.
    func proof(
        for request: CBORMap, cardNonce: [UInt8], content: [UInt8] = [], by key: PrivateKey
    ) throws -> CBORValue {
        guard case .bytes(let nonce)? = request["nonce"] else { throw KeyError.length(0) }
        let digest = Digest(hashing: Array("OPENDIME".utf8) + cardNonce + nonce + content)
        return .bytes(key.sign(digest: digest).compact)
    }

    /// The answer to `xpub`.
    func extendedKey(at path: DerivationPath, next: [UInt8] = nonce(2)) throws -> CBORMap {
        ["xpub": .bytes(try master.descendant(path).neutered.serialized), "card_nonce": .bytes(next)]
    }

    /// The answer to `derive`.
    func derivation(
        for request: CBORMap, to path: DerivationPath, cardNonce: [UInt8] = firstNonce, next: [UInt8] = nonce(2),
        byDerivedKey: Bool = false
    ) throws -> CBORMap {
        let derived = try master.descendant(path)
        return [
            "sig": try proof(
                for: request, cardNonce: cardNonce, content: derived.chainCode.bytes,
                by: byDerivedKey ? derived.privateKey : master.privateKey),
            "chain_code": .bytes(derived.chainCode.bytes), "master_pubkey": .bytes(master.privateKey.publicKey.bytes),
            "pubkey": .bytes(derived.privateKey.publicKey.bytes), "card_nonce": .bytes(next),
        ]
    }
}
