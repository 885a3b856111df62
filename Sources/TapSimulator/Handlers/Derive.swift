import Bitcoin
import ByteCodec

/// `derive`: sets a signer's path; shows how a SATSCARD's address is derived from its chain code.
///
/// Spec: protocol, "Commands", `derive`.
enum DeriveHandler: CommandHandler {
    static let name = "derive"

    static func authentication(on product: SimulatedProduct) -> AuthenticationNeed {
        product == .satscard ? .none : .required
    }

    static func answer(
        _ request: CardRequest, session: SessionKey?, card: inout CardCore
    ) throws(CardFault) -> CBORMap {
        let nonce = try request.nonce()
        if case .satscard(let slots) = card.state.content {
            guard let key = slots.sealedKey else { throw .invalidState }
            return try slotAnswer(key, nonce: nonce, card: &card)
        }
        let path = try request.path("path")
        guard path.map(DerivePath.isAllowed) ?? true else { throw .badArguments }
        guard var signerKey = card.state.signerKey else { throw .invalidState }
        if let path { signerKey.path = path }
        let answer = try signerAnswer(signerKey, nonce: nonce, card: &card)
        card.state.signerKey = signerKey
        return answer
    }

    private static func slotAnswer(
        _ key: PickedKey, nonce: [UInt8], card: inout CardCore
    ) throws(CardFault) -> CBORMap {
        let master = try key.master(card.state.network)
        let signature = try card.prove(nonce: nonce, rest: key.chainCode, with: master.privateKey)
        return [
            "sig": .bytes(signature), "chain_code": .bytes(key.chainCode),
            "master_pubkey": .bytes(master.privateKey.publicKey.bytes),
        ]
    }

    private static func signerAnswer(
        _ key: SignerKey, nonce: [UInt8], card: inout CardCore
    ) throws(CardFault) -> CBORMap {
        let master = try key.master.master(card.state.network)
        let derived = try key.master.descendant(key.path, card.state.network)
        let isSignedByDerived = card.state.signsDeriveWithDerivedKey || card.has(.derivedKeySigns)
        let signer = isSignedByDerived ? derived : master
        let signature = try card.prove(nonce: nonce, rest: derived.chainCode.bytes, with: signer.privateKey)
        return [
            "sig": .bytes(signature), "chain_code": .bytes(derived.chainCode.bytes),
            "master_pubkey": .bytes(master.privateKey.publicKey.bytes),
            "pubkey": .bytes(derived.privateKey.publicKey.bytes),
        ]
    }
}

/// The paths that `derive` accepts.
enum DerivePath {
    /// At most eight steps, all hardened; an empty path is allowed.
    static func isAllowed(_ path: [UInt32]) -> Bool {
        path.count <= 8 && path.allSatisfy { $0 & 0x8000_0000 != 0 }
    }
}
