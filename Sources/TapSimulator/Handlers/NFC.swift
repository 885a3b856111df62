import Bitcoin
import ByteCodec

/// `nfc`: the link that a phone gets when it touches the card.
///
/// Spec: protocol, "Tap link".
enum NFCHandler: CommandHandler {
    static let name = "nfc"
    static let nonceRule = NonceRule.keeps

    private static let linkNonceLength = 8

    static func answer(
        _ request: CardRequest, session: SessionKey?, card: inout CardCore
    ) throws(CardFault) -> CBORMap {
        let state = card.state
        let prefix = "https://\(host(state.product))/start#"
        guard let (fields, key) = try content(state) else { return ["url": .text(prefix)] }
        let message = "\(fields)&n=\(Hex.encode(card.randomBytes(linkNonceLength)))&s="
        let signature = try card.sign(digest: Digest(hashing: message.utf8), with: key)
        return ["url": .text(prefix + message + Hex.encode(signature.compact))]
    }

    private static func host(_ product: SimulatedProduct) -> String {
        switch product {
        case .tapsigner: "tapsigner.com"
        case .satscard: "getsatscard.com"
        case .satschip: "satschip.com"
        }
    }

    /// The first fields and the key that signs; `nil` for a card without such a key.
    private static func content(
        _ state: SimulatedCardState
    ) throws(CardFault) -> (fields: String, key: PrivateKey)? {
        guard case .satscard(let slots) = state.content else {
            let cardKey = try state.cardPrivateKey()
            let ident = Hex.encode(SHA256.hash(cardKey.publicKey.bytes).prefix(8))
            let letter = state.isTampered ? "E" : state.signerKey == nil ? "U" : "S"
            return ("t=1&u=\(letter)&c=\(ident)", cardKey)
        }
        // The active slot; while that is unused, the one before it.
        let active = slots.activeSlot(state.version)
        guard let slot = [active, active - 1].first(where: { slots.key(at: $0) != nil }),
            let picked = slots.key(at: slot)
        else { return nil }
        let key = try picked.slotKey(state.network)
        let end = SlotAddress(key, state.network).text.suffix(8)
        let letter = state.isTampered ? "E" : slots.slots[slot].isUnsealed ? "U" : "S"
        return ("u=\(letter)&o=\(slot)&r=\(end)", key)
    }
}
