import Bitcoin

/// `read`: the public key of a SATSCARD's active slot, or at a TAPSIGNER's path.
///
/// Verified: the card's signature over our nonce, by the key itself. SATSCARD: the key's address has the two ends that
/// `status` shows; a slot without an address has no key. TAPSIGNER: the card has a path, and the key is the one of the
/// extended key there, where that is known.
///
/// Spec: protocol, "Commands" and "What must be verified, always".
struct ReadCommand: TapCommand {
    static let name = "read"
    static let usesAppNonce = true
    static let maySendUncheckedNonce = true

    struct Response {
        let publicKey: PublicKey
        let signature: ECDSASignature
    }

    static func authentication(for product: CardProduct) -> Authentication {
        product == .satscard ? .none : .required
    }

    func response(from fields: ResponseFields, in exchange: Exchange) throws(TapError) -> Response {
        let signature = try fields.signature("sig")
        guard let sessionKey = exchange.sessionKey else {
            return Response(publicKey: try fields.publicKey("pubkey"), signature: signature)
        }
        let revealed = sessionKey.revealed(publicKey: try fields.bytes("pubkey", count: PublicKey.length))
        do { return Response(publicKey: try PublicKey(revealed), signature: signature) } catch {
            throw .badProof(.readSignature, detail: "what the session key reveals is no public key")
        }
    }

    func verify(_ response: Response, in exchange: Exchange) throws(TapError) {
        let slotByte = UInt8(truncatingIfNeeded: exchange.card.activeSlot?.index ?? 0)
        guard response.publicKey.isValid(response.signature, for: exchange.digest(over: [slotByte])) else {
            throw .badProof(.readSignature, detail: "the signature over our nonce is not by the returned key")
        }
        if exchange.card.product == .satscard {
            try compareSlotKey(response.publicKey, with: exchange)
        } else {
            try compareKeyAtPath(response.publicKey, with: exchange)
        }
    }

    private func compareSlotKey(_ key: PublicKey, with exchange: Exchange) throws(TapError) {
        guard let slot = exchange.card.activeSlot, let address = exchange.card.address else {
            throw .badProof(.address, detail: "the card names a key for a slot without an address")
        }
        guard exchange.card.isSlotAddress(address, of: key) else {
            throw .badProof(.address, detail: "the slot's key has another address than \(address)")
        }
        guard exchange.knownKeys.slotKey(slot) ?? key == key else {
            throw .badProof(.slotKey, detail: "the key of slot \(slot) is not the one the card named before")
        }
    }

    private func compareKeyAtPath(_ key: PublicKey, with exchange: Exchange) throws(TapError) {
        guard let path = exchange.card.path else {
            throw .badProof(.extendedKey, detail: "the card has no path, and names a key")
        }
        guard exchange.knownKeys.publicKey(at: path) ?? key == key else {
            throw .badProof(.extendedKey, detail: "the key at \(path) is not the one the card named before")
        }
    }
}
