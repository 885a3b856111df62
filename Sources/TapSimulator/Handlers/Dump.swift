import Bitcoin
import ByteCodec

/// `dump`: a slot's content; with the CVC, an unsealed slot's keys.
///
/// Spec: protocol, "Commands", `dump`; `master_pk` is hidden here, see "Authentication".
enum DumpHandler: CommandHandler {
    static let name = "dump"
    static let products: Set<SimulatedProduct> = [.satscard]

    static func authentication(on product: SimulatedProduct) -> AuthenticationNeed { .optional }

    static func answer(
        _ request: CardRequest, session: SessionKey?, card: inout CardCore
    ) throws(CardFault) -> CBORMap {
        guard case .satscard(let slots) = card.state.content else { throw .invalidState }
        let slot = try request.slot()
        guard request.has("slot"), slots.slots.indices.contains(slot) else { throw .badArguments }
        var answer: CBORMap = ["slot": .unsigned(UInt64(slot))]
        switch slots.slots[slot] {
        case .unused: answer["used"] = .bool(false)
        case .sealed: answer["sealed"] = .bool(true)
        case .unsealed(let key):
            if let session {
                try add(key, hiddenBy: session, to: &answer, card)
                if slots.selfOpenedSlots.contains(slot) { answer["tampered"] = .bool(true) }
            } else {
                let slotKey = try key.slotKey(card.state.network)
                answer["sealed"] = .bool(false)
                answer["addr"] = .text(SlotAddress(slotKey, card.state.network).text)
                if card.state.version.dumpShowsUnsealedKey { answer["pubkey"] = .bytes(slotKey.publicKey.bytes) }
            }
        }
        return answer
    }

    private static func add(
        _ key: PickedKey, hiddenBy session: SessionKey, to answer: inout CBORMap, _ card: CardCore
    ) throws(CardFault) {
        let secrets = try key.secrets(card.state.network)
        answer["privkey"] = .bytes(secrets.slotKey.secret.withBytes { session.masking($0) })
        answer["pubkey"] = .bytes(secrets.slotKey.publicKey.bytes)
        answer["chain_code"] = .bytes(key.chainCode)
        answer["master_pk"] = .bytes(
            secrets.masterKey.secret.withBytes { card.has(.otherMasterKeys) ? Array($0) : session.masking($0) })
    }
}
