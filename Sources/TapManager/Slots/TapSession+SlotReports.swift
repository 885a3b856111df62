import TapProtocol

/// A SATSCARD's slots, each with the proofs it can give, in as few exchanges as there can be.
extension TapSession {
    /// The active slot: proven with `derive` too while it is sealed; the last one is asked with `dump` where `check`
    /// leaves open whether it was opened.
    /// - Returns: `nil` behind the last slot of a full card.
    /// - Throws: `TapError.badProof(.slotKey)` when the card calls a slot sealed and does not sign its key.
    func activeSlotReport(_ proof: CardProof, cvc: CVC?) throws -> SlotReport? {
        guard let active = proof.activeSlot else {
            guard let slot = status.activeSlot else { return nil }
            return status.mayHaveOpened(slot) ? try inactiveSlotReport(slot, cvc: cvc) : .unused(slot)
        }
        // Where the seal is not proven, a slot with others behind it is sealed as surely as `dump` could say.
        if active.seal == .absent || active.seal == .unproven && status.mayHaveOpened(active.slot) {
            switch try dump(active.slot, cvc: cvc) {
            case .opened(let keys): return .opened(keys)
            case .unsealed(let address, _): return .unsealed(active.slot, address, isProven: true)
            case .sealed where active.seal == .unproven: break
            case .sealed, .unused:
                throw TapError.badProof(
                    .slotKey, detail: "the card calls slot \(active.slot) sealed and did not sign its key")
            }
        }
        try proveSlotOrigin()
        // Power lost on the way brings a new status, and the last proof was then about its slot.
        guard status.activeSlot == active.slot else {
            throw TapError.badProof(.slotState, detail: "slot \(active.slot) is no longer the card's active one")
        }
        return .sealed(active)
    }

    /// A slot without an address in the status.
    func inactiveSlotReport(_ slot: SlotNumber, cvc: CVC?) throws -> SlotReport {
        // `dump` refuses a state that does not fit the count of opened slots.
        switch try dump(slot, cvc: cvc) {
        case .opened(let keys): .opened(keys)
        case .unsealed(let address, _): .unsealed(slot, address, isProven: false)
        case .unused, .sealed: .unused(slot)
        }
    }
}
