import Bitcoin

/// `read`: the public key of a SATSCARD's active slot, or at a TAPSIGNER's path.
///
/// Verified: the card's signature over our nonce, by the key itself. SATSCARD: the key's address has the two ends that
/// `status` shows. TAPSIGNER: the key is the one of the extended key at the path, where that is known.
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
        let slot = exchange.card.activeSlot
        let slotByte = UInt8(truncatingIfNeeded: slot?.index ?? 0)
        guard response.publicKey.isValid(response.signature, for: exchange.digest(over: [slotByte])) else {
            throw .badProof(.readSignature, detail: "the signature over our nonce is not by the returned key")
        }
        if let address = exchange.card.address, !exchange.card.isSlotAddress(address, of: response.publicKey) {
            throw .badProof(.address, detail: "the slot's key has another address than \(address)")
        }
        if let slot, exchange.knownKeys.slotKey(slot) ?? response.publicKey != response.publicKey {
            throw .badProof(.slotKey, detail: "the key of slot \(slot) is not the one the card named before")
        }
        if let path = exchange.card.path, let known = exchange.knownKeys.publicKey(at: path),
            known != response.publicKey
        {
            throw .badProof(.extendedKey, detail: "the key at \(path) is not the one the card named before")
        }
    }
}
