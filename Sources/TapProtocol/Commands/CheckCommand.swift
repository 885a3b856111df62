import Bitcoin

/// `check`: the card signs our nonce with its own key.
///
/// Verified: the signature, by the card's key; with a sealed SATSCARD slot (1.0.0 and later) over that slot's key too.
/// The last slot may be an opened one, whose key is not signed: that it was sealed is then not proven.
///
/// Spec: protocol, "What must be verified, always".
struct CheckCommand: TapCommand {
    static let name = "check"
    static let maySendUncheckedNonce = true
    static let usesAppNonce = true

    /// SATSCARD with a used active slot: that slot's key.
    let slotKey: PublicKey?

    static func authentication(for product: CardProduct) -> Authentication { .none }

    func response(from fields: ResponseFields, in exchange: Exchange) throws(TapError) -> ECDSASignature {
        try fields.signature("auth_sig")
    }

    func verify(_ response: ECDSASignature, in exchange: Exchange) throws(TapError) {
        let isSigned = contents(on: exchange.card).contains {
            exchange.card.publicKey.isValid(response, for: exchange.digest(over: $0))
        }
        guard isSigned else {
            throw .badProof(.cardKey, detail: "the card's signature over our nonce is not by its key")
        }
    }

    /// What may be signed beside the nonces. The last slot's key is signed only until the slot is opened, and such a card
    /// still names the slot as its active one.
    private func contents(on card: CardStatus) -> [[UInt8]] {
        guard let slotKey, card.appletVersion.checksSlotKey else { return [[]] }
        let isLast = card.slots.map { $0.active == $0.total - 1 } ?? false
        return isLast ? [slotKey.bytes, []] : [slotKey.bytes]
    }
}
