import Bitcoin
import ByteCodec

/// `new`: the card picks a master key from its own randomness and our chain code: a TAPSIGNER once for ever, a SATSCARD
/// for its next slot.
///
/// Verified: the slot is the asked one, where the answer names it. That our chain code is in use is proven by what
/// follows: the probe of the master key at `m`, or `derive` on a SATSCARD.
///
/// Spec: protocol, "Commands".
struct NewCommand: TapCommand {
    static let name = "new"
    /// Bytes of a chain code.
    static let chainCodeLength = 32

    /// SATSCARD: the active slot, which is unused; otherwise the first.
    let slot: SlotNumber
    /// 32 bytes.
    let chainCode: [UInt8]

    /// - Throws: `TapError.invalidArgument` for a chain code of other length.
    init(slot: SlotNumber = SlotNumber(index: 0), chainCode: [UInt8]) throws(TapError) {
        guard chainCode.count == Self.chainCodeLength else {
            throw Self.invalid("a chain code has 32 bytes, not \(chainCode.count)")
        }
        self.slot = slot
        self.chainCode = chainCode
    }

    static func authentication(for product: CardProduct) -> Authentication { .required }

    func arguments(in exchange: Exchange) -> CBORMap {
        ["slot": .unsigned(UInt64(clamping: slot.index)), "chain_code": .bytes(chainCode)]
    }

    func response(from fields: ResponseFields, in exchange: Exchange) throws(TapError) {
        try fields.confirmSlot(slot)
    }
}
