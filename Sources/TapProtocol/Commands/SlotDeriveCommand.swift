import Bitcoin

/// `derive` on a SATSCARD: what the active slot's key is derived from.
///
/// Verified: the signature over our nonce and the chain code, by the master key; the slot's key is `m/0` of both, and the
/// one that `read` proved; the ends of its address match `status`.
///
/// Spec: protocol, "Commands" and "What must be verified, always".
struct SlotDeriveCommand: TapCommand {
    static let name = "derive"
    static let products: Set<CardProduct> = [.satscard]
    static let usesAppNonce = true
    static let maySendUncheckedNonce = true

    struct Response {
        let signature: ECDSASignature
        let origin: SlotOrigin
    }

    static func authentication(for product: CardProduct) -> Authentication { .none }

    func response(from fields: ResponseFields, in exchange: Exchange) throws(TapError) -> Response {
        Response(
            signature: try fields.signature("sig"),
            origin: SlotOrigin(
                masterKey: try fields.publicKey("master_pubkey"),
                chainCode: try fields.chainCode()))
    }

    func verify(_ response: Response, in exchange: Exchange) throws(TapError) {
        let origin = response.origin
        guard origin.masterKey.isValid(response.signature, for: exchange.digest(over: origin.chainCode.bytes)) else {
            throw .badProof(.deriveSignature, detail: "the slot's master key did not sign the response")
        }
        let card = exchange.card
        guard let slot = card.activeSlot, let address = card.address,
            let key = SlotDerivation.publicKey(master: origin.masterKey, chainCode: origin.chainCode)
        else { throw .badProof(.masterKey, detail: "the card returned a master key for a slot without one") }
        guard card.isSlotAddress(address, of: key), exchange.knownKeys.slotKey(slot) ?? key == key else {
            throw .badProof(.masterKey, detail: "the slot's key is not m/0 of its master key and chain code")
        }
    }
}
