import Bitcoin
import ByteCodec

/// `sign`: signs a digest with the key in use, one below it, or an unsealed slot's key.
///
/// A real card tries three nonces and then fails with error 205, once in eight times. Here the rate is configurable,
/// and a signature that is returned is repeated until R is low.
///
/// Spec: protocol, "Commands", `sign`.
enum SignHandler: CommandHandler {
    static let name = "sign"

    /// The most steps below the current path.
    private static let mostSubpathSteps = 2

    static func authentication(on product: SimulatedProduct) -> AuthenticationNeed { .required }

    static func answer(
        _ request: CardRequest, session: SessionKey?, card: inout CardCore
    ) throws(CardFault) -> CBORMap {
        let slot = try request.slot()
        let hidden = try request.bytes("digest", length: Digest.length)
        guard let session else { throw .needsAuth }
        if card.state.product == .satscard, request.has("subpath") {
            if card.state.version.tampersOnSubpath { card.state.tamper() }
            throw .badArguments
        }
        let key = try signingKey(request, slot: slot, state: card.state)
        card.owesSignature = true
        guard !card.happens(percent: card.state.unluckyPercent) else { throw .unluckyNumber }
        guard let digest = Digest(session.masking(hidden)) else { throw .badArguments }
        var signature = try card.usualSignature(digest: digest, with: key)
        while !signature.hasLowR { signature = try card.usualSignature(digest: digest, with: key) }
        signature = try card.habitual(signature, digest: digest, key: key)
        return [
            "slot": .unsigned(UInt64(slot)), "sig": .bytes(signature.compact),
            "pubkey": .bytes(key.publicKey.bytes),
        ]
    }

    /// The key that a request asks for.
    static func signingKey(
        _ request: CardRequest, slot: Int, state: SimulatedCardState
    ) throws(CardFault) -> PrivateKey {
        if case .satscard(let slots) = state.content {
            guard slots.slots.indices.contains(slot) else { throw .badArguments }
            guard case .unsealed(let key) = slots.slots[slot] else { throw .invalidState }
            return try key.slotKey(state.network)
        }
        let subpath = try request.path("subpath") ?? []
        guard slot == 0, subpath.count <= mostSubpathSteps, subpath.allSatisfy({ $0 & 0x8000_0000 == 0 }) else {
            throw .badArguments
        }
        return try state.derivedKey(below: subpath).privateKey
    }
}
