import Bitcoin

/// `read`: the public key of a SATSCARD's active slot.
///
/// Never sent to a TAPSIGNER or SATSCHIP: `xpub` and `derive` reveal what these hide in the response, so anyone who only
/// listens would learn the CVC.
///
/// Verified: the card's signature over our nonce, by the returned key; the ends of the key's address match `status`; a slot
/// without an address has no key.
///
/// Spec: protocol, "Commands", "What must be verified, always" and "Who can forge what".
struct ReadCommand: TapCommand {
    static let name = "read"
    static let products: Set<CardProduct> = [.satscard]
    static let usesAppNonce = true
    static let maySendUncheckedNonce = true

    struct Response {
        let publicKey: PublicKey
        let signature: ECDSASignature
    }

    static func authentication(for product: CardProduct) -> Authentication { .none }

    func response(from fields: ResponseFields, in exchange: Exchange) throws(TapError) -> Response {
        Response(publicKey: try fields.publicKey("pubkey"), signature: try fields.signature("sig"))
    }

    func verify(_ response: Response, in exchange: Exchange) throws(TapError) {
        let slotByte = UInt8(truncatingIfNeeded: exchange.card.activeSlot?.index ?? 0)
        guard response.publicKey.isValid(response.signature, for: exchange.digest(over: [slotByte])) else {
            throw .badProof(.readSignature, detail: "the signature of our nonce is not by the returned key")
        }
        let key = response.publicKey
        guard let slot = exchange.card.activeSlot, let address = exchange.card.address else {
            throw .badProof(.address, detail: "the card returned a key for a slot without an address")
        }
        guard exchange.card.isSlotAddress(address, of: key) else {
            throw .badProof(.address, detail: "the address of the slot's key is not \(address)")
        }
        guard exchange.knownKeys.slotKey(slot) ?? key == key else {
            throw .badProof(.slotKey, detail: "the key of slot \(slot) is not the one the card gave before")
        }
    }
}
