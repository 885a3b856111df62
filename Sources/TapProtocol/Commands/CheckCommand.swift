import Bitcoin

/// `check`: the card signs our nonce with its own key.
///
/// Verified: the signature by the card's key, which also covers the key of a sealed SATSCARD slot (1.0.0 and later). The
/// last slot may be unsealed: its key is then not signed, and no seal is proven. If no slot key is signed, some cards sign
/// only the nonces, and some append 33 zero bytes in its place: both prove the card's key.
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
        /// Whether it is the card's signature of the nonces and the slot's key.
        let isOverSlotKey: Bool
        /// What that shows about the active slot; also `.absent` if there is no such slot.
        let seal: ActiveSlot.Seal
    }

    static func authentication(for product: CardProduct) -> Authentication { .none }

    func response(from fields: ResponseFields, in exchange: Exchange) throws(TapError) -> Response {
        let signature = try fields.signature("auth_sig")
        guard let slotKey else { return Response(signature: signature, isOverSlotKey: false, seal: .absent) }
        let isOverSlotKey = exchange.card.publicKey.isValid(signature, for: exchange.digest(over: slotKey.bytes))
        // It is undocumented what an early card means by signing a slot's key: it then proves only the card's own key.
        let seal: ActiveSlot.Seal =
            !exchange.card.appletVersion.provesSeal ? .unproven : isOverSlotKey ? .proven : .absent
        return Response(signature: signature, isOverSlotKey: isOverSlotKey, seal: seal)
    }

    func verify(_ response: Response, in exchange: Exchange) throws(TapError) {
        if response.isOverSlotKey { return }
        guard provesCardKey(response.signature, in: exchange) else {
            let alternative = slotKey == nil ? "" : ", with or without the slot's key"
            throw .badProof(.cardKey, detail: "the card's key did not sign our nonce\(alternative)")
        }
        // The last slot's key is signed only until the slot is unsealed, and the card still names that slot as active.
        guard response.seal == .absent, slotKey != nil, let slot = exchange.card.activeSlot,
            !exchange.card.mayHaveOpened(slot)
        else { return }
        throw .badProof(.slotKey, detail: "the card did not sign the key of slot \(slot) as the key of a sealed slot")
    }

    /// Whether the card signed the nonces, alone or with zeros in place of a slot's key. No key consists of 33 zero bytes,
    /// so this says nothing about any slot.
    private func provesCardKey(_ signature: ECDSASignature, in exchange: Exchange) -> Bool {
        let key = exchange.card.publicKey
        if key.isValid(signature, for: exchange.digest()) { return true }
        let zeros = [UInt8](repeating: 0, count: PublicKey.length)
        guard key.isValid(signature, for: exchange.digest(over: zeros)) else { return false }
        exchange.trace?(.form(command: Self.name, detail: "33 zero bytes were signed in place of a slot's key"))
        return true
    }
}
