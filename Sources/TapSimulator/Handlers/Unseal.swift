import Bitcoin
import ByteCodec

/// `unseal`: reveals the active slot's key, permanently.
///
/// Spec: protocol, "Commands", `unseal`; `master_pk` is plain here, see "Authentication".
enum UnsealHandler: CommandHandler {
    static let name = "unseal"
    static let products: Set<SimulatedProduct> = [.satscard]

    static func authentication(on product: SimulatedProduct) -> AuthenticationNeed { .required }

    static func answer(
        _ request: CardRequest, session: SessionKey?, card: inout CardCore
    ) throws(CardFault) -> CBORMap {
        guard case .satscard(var slots) = card.state.content, let session else { throw .invalidState }
        guard request.has("slot") else { throw .badArguments }
        let slot = try request.slot()
        guard slot == slots.activeSlot(card.state.version) else { throw .badArguments }
        guard slots.slots.indices.contains(slot), case .sealed(let key) = slots.slots[slot] else {
            throw .invalidState
        }
        let secrets = try key.secrets(card.state.network)
        slots.slots[slot] = .unsealed(key)
        card.state.content = .satscard(slots)
        return [
            "slot": .unsigned(UInt64(slot)),
            "privkey": .bytes(secrets.slotKey.secret.withBytes { session.masking($0) }),
            "pubkey": .bytes(secrets.slotKey.publicKey.bytes),
            "master_pk": .bytes(
                secrets.masterKey.secret.withBytes { card.has(.otherMasterKeys) ? session.masking($0) : Array($0) }),
            "chain_code": .bytes(key.chainCode),
        ]
    }
}
