import Bitcoin
import ByteCodec
import LyingCards
import Synchronization
import TapSimulator

/// Whoever holds the line and rewrites what passes, consistently and with keys of its own: a reader, a cable, a program
/// between both. It has no key of the card's, but knows the protocol, every public key, and the transaction or message that
/// is to be signed.
final class Relay: CardInterceptor {
    /// What it is after.
    enum Lie: String, CaseIterable {
        /// The account is the relay's: keys, chain codes, signatures.
        case inventedAccount
        /// The account has the card's key and a chain code of the relay's.
        case chainCode
        /// The master key is the relay's, so that the fingerprint is another one.
        case masterKey
        /// The account is one below the card's, and the card is asked for what stands below that.
        case childAccount
        /// The chain code that the host supplies for a new key is exchanged, and given back.
        case suppliedChainCode
    }

    private struct State {
        /// The card's nonce, as host and card know it.
        var nonce: [UInt8] = []
        /// The path that the host believes the card to be at.
        var path: [UInt32] = []
        /// The extended key that the card itself named last, master key or not.
        var named: [Bool: ExtendedPublicKey] = [:]
        /// What the host supplied as the chain code of a new key.
        var supplied: ChainCode?
    }

    let lie: Lie
    /// The relay's own master key.
    let master: ExtendedPrivateKey
    /// Digests that the relay knows will be asked for, in order.
    private let digests: Mutex<[Digest]>
    private let state = Mutex(State())

    init(_ lie: Lie, digests: [Digest] = []) throws {
        self.lie = lie
        self.digests = Mutex(digests)
        master = try ExtendedPrivateKey(seed: SecretBytes([UInt8](repeating: 0x4D, count: 32)), network: .test)
    }

    func command(_ exchange: CardExchange) -> CommandInterception {
        guard var request = OverheardExchange.request(in: exchange.command) else { return .pass }
        switch (lie, exchange.name) {
        case (.suppliedChainCode, "new"):
            state.withLock { $0.supplied = request.bytes("chain_code").flatMap { ChainCode($0) } }
            request["chain_code"] = .bytes([UInt8](repeating: 0x4D, count: 32))
        case (.childAccount, "sign"):
            guard let subpath = request.steps("subpath") else { return .pass }
            request["subpath"] = .array(([0] + subpath).prefix(2).map { .unsigned(UInt64($0)) })
        default: return .pass
        }
        return .replace(OverheardExchange.command(request))
    }

    func answer(_ answer: [UInt8], to exchange: CardExchange) -> AnswerInterception {
        guard var map = OverheardExchange.map(Array(answer.dropLast(2))), map["error"] == nil else { return .pass }
        let request = OverheardExchange.request(in: exchange.command) ?? [:]
        state.withLock { state in
            rewrite(&map, of: exchange.name, request, &state)
            state.nonce = map.bytes("card_nonce") ?? state.nonce
        }
        return .replace(CBOREncoder.encode(.map(map)) + answer.suffix(2))
    }

    private func rewrite(_ answer: inout CBORMap, of name: String, _ request: CBORMap, _ state: inout State) {
        switch name {
        case "select", "status": state.path = answer.steps("path") ?? []
        case "xpub":
            guard case .bool(let isMaster)? = request["master"], let bytes = answer.bytes("xpub"),
                let named = try? ExtendedPublicKey(serialized: bytes)
            else { return }
            state.named[isMaster] = named
            guard let claimed = try? claim(named, isMaster: isMaster, state) else { return }
            // Cards write no parent's fingerprint.
            answer["xpub"] = .bytes(claimed.orphan.serialized)
        case "derive": rewriteDerive(&answer, request, &state)
        case "read": rewriteRead(&answer, request, state)
        case "sign": rewriteSign(&answer, request, state)
        default: break
        }
    }

    /// What the relay says in place of an extended key of the card's; the key itself where it has no other to offer.
    private func claim(_ key: ExtendedPublicKey, isMaster: Bool, _ state: State) throws -> ExtendedPublicKey {
        if lie == .suppliedChainCode {
            return isMaster ? state.supplied.map { master.neutered.with(chainCode: $0) } ?? key : key
        }
        // `derive` is signed by the master key: whoever alters its answer needs one of his own, and says so everywhere.
        guard !isMaster else { return master.neutered }
        return switch lie {
        case .inventedAccount: try own(state.path).neutered
        case .chainCode: key.with(chainCode: ChainCode(repeating: 0x4D))
        case .childAccount: try key.child(ChildNumber(rawValue: 0)).placed(as: key)
        case .masterKey, .suppliedChainCode: key
        }
    }

    private func rewriteDerive(_ answer: inout CBORMap, _ request: CBORMap, _ state: inout State) {
        guard let path = request.steps("path"), let nonce = request.bytes("nonce"),
            let key = answer.bytes("pubkey").flatMap({ try? PublicKey($0) }),
            let code = answer.bytes("chain_code").flatMap({ ChainCode($0) })
        else { return }
        let real = ExtendedPublicKey(
            network: .test, depth: UInt8(path.count), childNumber: ChildNumber(rawValue: path.last ?? 0),
            chainCode: code,
            publicKey: key)
        state.path = path
        state.named[path.isEmpty] = real
        guard let claimed = try? claim(real, isMaster: path.isEmpty, state) else { return }
        answer["chain_code"] = .bytes(claimed.chainCode.bytes)
        // At other paths this lie leaves the answer as it is.
        if lie == .suppliedChainCode, !path.isEmpty { return }
        answer["pubkey"] = .bytes(claimed.publicKey.bytes)
        answer["master_pubkey"] = .bytes(master.neutered.publicKey.bytes)
        let message = Array("OPENDIME".utf8) + state.nonce + nonce + claimed.chainCode.bytes
        answer["sig"] = .bytes(master.privateKey.sign(digest: Digest(hashing: message)).compact)
    }

    /// The key in the answer is hidden by XOR: whoever knows it puts another in its place.
    private func rewriteRead(_ answer: inout CBORMap, _ request: CBORMap, _ state: State) {
        guard lie == .inventedAccount, let real = state.named[false]?.publicKey, let hidden = answer.bytes("pubkey"),
            let nonce = request.bytes("nonce"), let own = try? own(state.path)
        else { return }
        let key = own.privateKey.publicKey.bytes
        answer["pubkey"] = .bytes(
            key.prefix(1) + hidden.dropFirst().xor(real.bytes.dropFirst()).xor(key.dropFirst()))
        let message = Array("OPENDIME".utf8) + state.nonce + nonce + [0]
        answer["sig"] = .bytes(own.privateKey.sign(digest: Digest(hashing: message)).compact)
    }

    /// What is asked for is hidden: the relay signs what it knows will be asked for, or else what it guesses.
    private func rewriteSign(_ answer: inout CBORMap, _ request: CBORMap, _ state: State) {
        guard let subpath = request.steps("subpath") else { return }
        if lie == .chainCode, let account = state.named[state.path.isEmpty] {
            let claimed = try? account.with(chainCode: ChainCode(repeating: 0x4D))
                .descendant(DerivationPath(subpath.map(ChildNumber.init(rawValue:))))
            answer["pubkey"] = claimed.map { .bytes($0.publicKey.bytes) }
        }
        guard lie == .inventedAccount, let key = try? own(state.path + subpath).privateKey else { return }
        let digest = digests.withLock { $0.isEmpty ? Digest(hashing: []) : $0.removeFirst() }
        answer["pubkey"] = .bytes(key.publicKey.bytes)
        answer["sig"] = .bytes(key.signGrindingLowR(digest: digest).compact)
    }

    private func own(_ path: [UInt32]) throws -> ExtendedPrivateKey {
        try master.descendant(DerivationPath(path.map(ChildNumber.init(rawValue:))))
    }
}

extension ExtendedPublicKey {
    /// Without a parent's fingerprint, as cards write it.
    fileprivate var orphan: ExtendedPublicKey { placed(as: self) }

    /// This key and chain code, said to stand where another stands.
    fileprivate func placed(as other: ExtendedPublicKey) -> ExtendedPublicKey {
        ExtendedPublicKey(
            network: other.network, depth: other.depth, childNumber: other.childNumber, chainCode: chainCode,
            publicKey: publicKey)
    }

    fileprivate func with(chainCode: ChainCode) -> ExtendedPublicKey {
        ExtendedPublicKey(
            network: network, depth: depth, childNumber: childNumber, chainCode: chainCode, publicKey: publicKey)
    }
}
