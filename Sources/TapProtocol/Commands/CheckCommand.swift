import Bitcoin

/// `check`: the card signs our nonce with its own key.
///
/// Verified: the signature, by the card's key; with a sealed SATSCARD slot (1.0.0 and later) over that slot's key too.
///
/// Spec: protocol, "What must be verified, always".
struct CheckCommand: TapCommand {
    static let name = "check"
    static let maySendUncheckedNonce = true
    static let usesAppNonce = true

    /// SATSCARD with a sealed slot: that slot's key.
    let slotKey: PublicKey?

    static func authentication(for product: CardProduct) -> Authentication { .none }

    func response(from fields: ResponseFields, in exchange: Exchange) throws(TapError) -> ECDSASignature {
        try fields.signature("auth_sig")
    }

    func verify(_ response: ECDSASignature, in exchange: Exchange) throws(TapError) {
        let content = exchange.card.appletVersion.checksSlotKey ? slotKey?.bytes ?? [] : []
        guard exchange.card.publicKey.isValid(response, for: exchange.digest(over: content)) else {
            throw .badProof(.cardKey, detail: "the card's signature over our nonce is not by its key")
        }
    }
}
