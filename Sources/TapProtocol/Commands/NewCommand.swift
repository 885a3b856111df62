import Bitcoin
import ByteCodec

/// `new`: the card picks a master key from its own randomness and our chain code: on a TAPSIGNER only once, on a
/// SATSCARD for its next slot.
///
/// Verified: the slot is the requested one, if the response names it. That our chain code is in use is proven later: by
/// the probe of the master key at `m`, or by `derive` on a SATSCARD.
///
/// Spec: protocol, "Commands".
struct NewCommand: TapCommand {
    static let name = "new"

    /// SATSCARD: the active slot, which is unused; otherwise the first.
    let slot: SlotNumber
    /// Our own.
    let chainCode: ChainCode

    init(slot: SlotNumber = SlotNumber(index: 0), chainCode: ChainCode) {
        self.slot = slot
        self.chainCode = chainCode
    }

    static func authentication(for product: CardProduct) -> Authentication { .required }

    func arguments(in exchange: Exchange) -> CBORMap {
        ["slot": .unsigned(UInt64(clamping: slot.index)), "chain_code": .bytes(chainCode.bytes)]
    }

    func response(from fields: ResponseFields, in exchange: Exchange) throws(TapError) {
        try fields.confirmSlot(slot)
    }
}
