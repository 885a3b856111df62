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

    struct Response {
        let signature: ECDSASignature
        /// What the signature says of the active slot; `.absent` too when there is no slot to speak of.
        let seal: ActiveSlot.Seal
    }

    static func authentication(for product: CardProduct) -> Authentication { .none }

    func response(from fields: ResponseFields, in exchange: Exchange) throws(TapError) -> Response {
        let signature = try fields.signature("auth_sig")
        guard let slotKey, exchange.card.appletVersion.provesSeal else {
            return Response(signature: signature, seal: slotKey == nil ? .absent : .unproven)
        }
        let isSealed = exchange.card.publicKey.isValid(signature, for: exchange.digest(over: slotKey.bytes))
        return Response(signature: signature, seal: isSealed ? .proven : .absent)
    }

    func verify(_ response: Response, in exchange: Exchange) throws(TapError) {
        if response.seal == .proven { return }
        guard exchange.card.publicKey.isValid(response.signature, for: exchange.digest()) else {
            let alternative = slotKey == nil ? "" : ", nor one over our nonce and the slot's key"
            throw .badProof(.cardKey, detail: "the card's signature is not one by its key over our nonce\(alternative)")
        }
        // The last slot's key is signed only until the slot is opened, and such a card still names it as its active one.
        guard response.seal == .absent, slotKey != nil, let slot = exchange.card.activeSlot,
            !exchange.card.mayHaveOpened(slot)
        else { return }
        throw .badProof(.slotKey, detail: "the card did not sign the key of slot \(slot) as that of a sealed one")
    }
}
