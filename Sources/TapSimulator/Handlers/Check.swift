import ByteCodec

/// `check`: the card proves that it holds the key that the certificates are about.
///
/// Spec: protocol, "Commands", `check`.
enum CheckHandler: CommandHandler {
    static let name = "check"

    static func answer(
        _ request: CardRequest, session: SessionKey?, card: inout CardCore
    ) throws(CardFault) -> CBORMap {
        let nonce = try request.nonce()
        let signature = try card.prove(
            nonce: nonce, rest: try sealedSlotKey(card.state), with: card.state.cardPrivateKey())
        return ["auth_sig": .bytes(signature)]
    }

    /// The key of a SATSCARD's sealed slot, 33 bytes, on versions that sign it; otherwise nothing.
    private static func sealedSlotKey(_ state: SimulatedCardState) throws(CardFault) -> [UInt8] {
        guard case .satscard(let slots) = state.content, state.version.checkCoversSlotKey,
            let key = slots.sealedKey
        else { return [] }
        return try key.slotKey(state.network).publicKey.bytes
    }
}
