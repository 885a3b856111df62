import Bitcoin
import ByteCodec

/// `read`: the key in use, and a signature by it.
///
/// Spec: protocol, "Commands", `read`.
enum ReadHandler: CommandHandler {
    static let name = "read"

    static func authentication(on product: SimulatedProduct) -> AuthenticationNeed {
        product == .satscard ? .none : .required
    }

    static func answer(
        _ request: CardRequest, session: SessionKey?, card: inout CardCore
    ) throws(CardFault) -> CBORMap {
        let nonce = try request.nonce()
        let state = card.state
        let slot: UInt8
        let key: PrivateKey
        if case .satscard(let slots) = state.content {
            guard let picked = slots.sealedKey else { throw .invalidState }
            slot = UInt8(truncatingIfNeeded: slots.firstUnopened)
            key = try picked.slotKey(state.network)
        } else {
            slot = 0
            key = try state.derivedKey().privateKey
        }
        let signature = try card.prove(nonce: nonce, rest: [slot], with: key)
        var publicKey = key.publicKey.bytes
        if let session { publicKey = publicKey.prefix(1) + session.masking(publicKey.dropFirst()) }
        return ["sig": .bytes(signature), "pubkey": .bytes(publicKey)]
    }
}
