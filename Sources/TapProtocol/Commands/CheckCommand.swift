import Bitcoin

/// `check`: the card signs our nonce with its own key.
///
/// Verified: the signature, by the card's key; with a sealed SATSCARD slot (1.0.0 and later) over that slot's key too.
/// The last slot may be an opened one, whose key is not signed: that it was sealed is then not proven. Where no slot's key
/// is signed, some cards sign nothing more than the nonces, and some 33 zero bytes in its place: both prove the card's key.
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
        /// Whether it is the card's over the nonces and the slot's key.
        let isOverSlotKey: Bool
        /// What that says of the active slot; `.absent` too when there is no slot to speak of.
        let seal: ActiveSlot.Seal
    }

    static func authentication(for product: CardProduct) -> Authentication { .none }

    func response(from fields: ResponseFields, in exchange: Exchange) throws(TapError) -> Response {
        let signature = try fields.signature("auth_sig")
        guard let slotKey else { return Response(signature: signature, isOverSlotKey: false, seal: .absent) }
        let isOverSlotKey = exchange.card.publicKey.isValid(signature, for: exchange.digest(over: slotKey.bytes))
        // What an early card means by signing a slot's key, nobody has written down: it is then a proof of its own key only.
        let seal: ActiveSlot.Seal =
            !exchange.card.appletVersion.provesSeal ? .unproven : isOverSlotKey ? .proven : .absent
        return Response(signature: signature, isOverSlotKey: isOverSlotKey, seal: seal)
    }

    func verify(_ response: Response, in exchange: Exchange) throws(TapError) {
        if response.isOverSlotKey { return }
        guard provesCardKey(response.signature, in: exchange) else {
            let alternative = slotKey == nil ? "" : ", nor one over our nonce and the slot's key"
            throw .badProof(.cardKey, detail: "the card's signature is not one by its key over our nonce\(alternative)")
        }
        // The last slot's key is signed only until the slot is opened, and such a card still names it as its active one.
        guard response.seal == .absent, slotKey != nil, let slot = exchange.card.activeSlot,
            !exchange.card.mayHaveOpened(slot)
        else { return }
        throw .badProof(.slotKey, detail: "the card did not sign the key of slot \(slot) as that of a sealed one")
    }

    /// Whether the signature is the card's over the nonces, alone or with zeros where a slot's key would stand. No key has
    /// 33 zero bytes, so this says nothing of any slot.
    private func provesCardKey(_ signature: ECDSASignature, in exchange: Exchange) -> Bool {
        let key = exchange.card.publicKey
        if key.isValid(signature, for: exchange.digest()) { return true }
        let zeros = [UInt8](repeating: 0, count: PublicKey.length)
        guard key.isValid(signature, for: exchange.digest(over: zeros)) else { return false }
        exchange.trace?(.form(command: Self.name, detail: "33 zero bytes are signed in place of a slot's key"))
        return true
    }
}
