import Bitcoin
import ByteCodec

@testable import TapSimulator

/// Lies about a SATSCARD's slots.
extension Dishonesty {
    func slotAnswer(
        _ request: CardRequest, session: SessionKey?, accomplice: Accomplice, card: inout CardCore, next: NextAnswer
    ) throws(CardFault) -> CBORMap {
        func honestly(_ card: inout CardCore) throws(CardFault) -> CBORMap { try next(request, &card) }
        let withOtherSealedKey = { (state: inout SimulatedCardState) in
            state.takeKey(of: accomplice, inSealedSlot: true)
        }
        switch (self, request.command) {
        case (.slotKeyOfAnotherCard, "status"), (.slotKeyOfAnotherCard, "read"), (.slotKeyOfAnotherCard, "derive"),
            (.slotKeyOfAnotherCard, "nfc"), (.readByAnotherKey, "read"), (.addressOfAnotherKey, "status"):
            return try card.pretending(withOtherSealedKey, honestly)
        case (.unsealsAnotherKey, "unseal"):
            let forged = try card.pretending(withOtherSealedKey, honestly)
            _ = try honestly(&card)
            return forged
        case (.dumpsAnotherKey, "dump") where session != nil:
            return try card.pretending({ $0.takeKey(of: accomplice, inOpenedSlots: true) }, honestly)
        case (.openedSlotSaidSealed, "status"), (.openedSlotSaidSealed, "read"), (.openedSlotSaidSealed, "derive"),
            (.openedSlotSaidSealed, "dump"), (.openedSlotSaidSealed, "nfc"):
            return try card.pretending({ $0.changeSlots { $0.closeLastOpened() } }, honestly)
        case (.dumpHidesOpenedSlots, "dump"):
            let close = { (slots: inout SatscardState) in
                slots.slots = slots.slots.map { slot in
                    if case .unsealed(let key) = slot { .sealed(key) } else { slot }
                }
            }
            return try card.pretending({ $0.changeSlots(close) }, honestly)
        case (.addressWithForeignMiddle, "dump"):
            var answer = try honestly(&card)
            if case .text(let address)? = answer["addr"] { answer["addr"] = .text(ForeignMiddle.put(into: address)) }
            return answer
        default: return try honestly(&card)
        }
    }
}

extension SatscardState {
    /// Makes the slot that was opened last the sealed one, as if the later ones had never been used.
    fileprivate mutating func closeLastOpened() {
        guard let slot = slots.lastIndex(where: \.isUnsealed), let key = slots[slot].key else { return }
        slots[slot] = .sealed(key)
        for later in slots.indices where later > slot { slots[later] = .unused }
        selfOpenedSlots.remove(slot)
    }
}

/// Another middle for a P2WPKH address, under which the checksum still holds.
///
/// The checksum is linear: whatever multiple of the generator is added to the data leaves it right. The generator has
/// seven coefficients, and the hidden middle of an address has eighteen characters.
///
/// Spec: BIP-173.
private enum ForeignMiddle {
    private static let alphabet = Array("qpzry9x8gf2tvdw0s3jn54khce6mua7l")
    private static let generator = [1, 29, 22, 20, 21, 29, 18]
    private static let shownCharacters = 12

    static func put(into address: String) -> String {
        var characters = Array(address)
        for (index, coefficient) in generator.enumerated() {
            let place = shownCharacters + index
            guard place < characters.count - shownCharacters, let value = alphabet.firstIndex(of: characters[place])
            else { return address }
            characters[place] = alphabet[value ^ coefficient]
        }
        return String(characters)
    }
}
