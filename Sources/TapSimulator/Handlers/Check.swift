import Bitcoin
import ByteCodec

/// `check`: the card proves that it holds the key that the certificates certify.
///
/// Spec: protocol, "Commands", `check`.
enum CheckHandler: CommandHandler {
    static let name = "check"

    static func answer(
        _ request: CardRequest, session: SessionKey?, card: inout CardCore
    ) throws(CardFault) -> CBORMap {
        let nonce = try request.nonce()
        let signature = try card.prove(
            nonce: nonce, rest: try slotKey(card), with: card.state.cardPrivateKey())
        return ["auth_sig": .bytes(signature)]
    }

    /// The key of a SATSCARD's sealed slot, 33 bytes, on versions that sign it. Otherwise nothing; or, with that habit, as
    /// many zeros if no slot is sealed.
    private static func slotKey(_ card: CardCore) throws(CardFault) -> [UInt8] {
        guard case .satscard(let slots) = card.state.content else { return [] }
        guard let key = slots.sealedKey else {
            return card.has(.zerosInCheck) ? [UInt8](repeating: 0, count: PublicKey.length) : []
        }
        return card.state.version.checkCoversSlotKey ? try key.slotKey(card.state.network).publicKey.bytes : []
    }
}
