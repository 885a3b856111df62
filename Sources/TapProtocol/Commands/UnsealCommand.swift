import Bitcoin
import ByteCodec

/// `unseal`: takes the active slot's key out of the card, permanently.
///
/// Verified: the slot is the requested one. The private key's point is the returned public key, the one that `read`
/// proved, and the ends of its address match `status`. The private key is `m/0` of the master key and chain code.
///
/// Spec: protocol, "Commands", "Authentication" (what is hidden) and "What must be verified, always".
struct UnsealCommand: TapCommand {
    static let name = "unseal"
    static let products: Set<CardProduct> = [.satscard]

    /// The active slot.
    let slot: SlotNumber

    static func authentication(for product: CardProduct) -> Authentication { .required }

    func arguments(in exchange: Exchange) -> CBORMap { ["slot": .unsigned(UInt64(clamping: slot.index))] }

    func response(from fields: ResponseFields, in exchange: Exchange) throws(TapError) -> OpenedSlot {
        try fields.confirmSlot(slot)
        return try OpenedSlot(slot: slot, fields: fields, in: exchange)
    }

    func verify(_ response: OpenedSlot, in exchange: Exchange) throws(TapError) {
        guard let address = exchange.card.address, address.matches(response.address) else {
            throw .badProof(.address, detail: "the unsealed key does not belong to the slot's address")
        }
    }
}
