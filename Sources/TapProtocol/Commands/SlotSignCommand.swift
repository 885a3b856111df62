import Bitcoin
import ByteCodec

/// `sign` on a SATSCARD: signs a digest with the key of an unsealed slot.
///
/// Verified: the returned key signed our digest, and is the slot's: its address is the one that the caller gave. A high S
/// is made low; a high R is accepted.
///
/// Spec: protocol, "Commands" (never a `subpath` to a SATSCARD) and "What must be verified, always"; BIP-62 (low S).
struct SlotSignCommand: TapCommand {
    static let name = SignCommand.name
    static let products: Set<CardProduct> = [.satscard]

    /// An unsealed slot.
    let slot: SlotNumber
    /// The slot's address.
    let address: Address
    /// What is signed.
    let digest: Digest

    init(digest: Digest, slot: SlotNumber, address: Address) {
        self.slot = slot
        self.address = address
        self.digest = digest
    }

    static func authentication(for product: CardProduct) -> Authentication { .required }

    func arguments(in exchange: Exchange) -> CBORMap {
        [
            "slot": .unsigned(UInt64(clamping: slot.index)),
            "digest": .bytes(exchange.sessionKey?.hidden(digest.bytes) ?? []),
        ]
    }

    func response(from fields: ResponseFields, in exchange: Exchange) throws(TapError) -> CardSignature {
        try fields.confirmSlot(slot)
        return CardSignature(signature: try fields.signature("sig"), publicKey: try fields.publicKey("pubkey"))
    }

    func verify(_ response: CardSignature, in exchange: Exchange) throws(TapError) {
        try response.verify(over: digest)
        guard exchange.card.slotAddress(of: response.publicKey)?.scriptPubKey == address.scriptPubKey else {
            throw .badProof(.signingKey, detail: "the returned key is not that of slot \(slot)'s address")
        }
    }
}
