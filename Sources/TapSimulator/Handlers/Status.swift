import ByteCodec

/// `status`: what the card reports about itself to anyone. Also the response to SELECT.
///
/// Spec: protocol, "Commands", `status`.
enum StatusHandler: CommandHandler {
    static let name = "status"

    /// The CBOR request that SELECT stands for.
    static let request = CBOREncoder.encode(.map(["cmd": .text(name)]))

    static func answer(
        _ request: CardRequest, session: SessionKey?, card: inout CardCore
    ) throws(CardFault) -> CBORMap {
        let state = card.state
        var answer: CBORMap = [
            "proto": .unsigned(1), "ver": .text(state.version.rawValue), "birth": .unsigned(UInt64(state.birth)),
        ]
        switch state.content {
        case .tapsigner(let signer):
            answer["tapsigner"] = .bool(true)
            answer["path"] = path(signer.key)
            answer["num_backups"] = .unsigned(UInt64(signer.backups))
        case .satschip(let signer):
            answer["tapsigner"] = .bool(true)
            answer["satschip"] = .bool(true)
            answer["path"] = path(signer.key)
        case .satscard(let slots):
            let active = slots.activeSlot(state.version)
            answer["slots"] = .array([.unsigned(UInt64(active)), .unsigned(UInt64(slots.slots.count))])
            if let key = slots.sealedKey {
                answer["addr"] = .text(SlotAddress(try key.slotKey(state.network), state.network).trimmed)
            }
        }
        answer["pubkey"] = .bytes(try state.cardPrivateKey().publicKey.bytes)
        answer["card_nonce"] = .bytes(card.nonce)
        if state.network == .test { answer["testnet"] = .bool(true) }
        if state.isTampered { answer["tampered"] = .bool(true) }
        if state.authDelay > 0 { answer["auth_delay"] = .unsigned(UInt64(state.authDelay)) }
        return answer
    }

    private static func path(_ key: SignerKey?) -> CBORValue? {
        key.map { .array($0.path.map { .unsigned(UInt64($0)) }) }
    }
}
