import TapProtocol

/// How thoroughly unsealed slots are examined.
enum SlotScrutiny: Sendable {
    /// What the card reports about them, without a CVC.
    case looking
    /// The card proves that it has their keys, without revealing them.
    case proving(CVC)
    /// The keys are read, because the user asked for them: a listener who already knows such a key learns the CVC.
    case takingKeys(CVC)
}

/// A SATSCARD's slots, each with the proofs it can give, in as few exchanges as possible.
extension TapSession {
    /// The active slot: while it is sealed, also proven with `derive`; the last one is asked with `dump` if `check`
    /// leaves open whether it is unsealed.
    /// - Returns: `nil` after the last slot of a used-up card.
    /// - Throws: `TapError.badProof(.slotKey)` if the card claims that a slot is sealed but does not sign its key.
    func activeSlotReport(_ proof: CardProof, _ scrutiny: SlotScrutiny) throws -> SlotReport? {
        guard let active = proof.activeSlot else {
            guard let slot = status.activeSlot else { return nil }
            return status.mayHaveOpened(slot) ? try inactiveSlotReport(slot, scrutiny) : .unused(slot)
        }
        // If the seal is not proven, a slot with others after it is sealed as surely as `dump` could show.
        if active.seal == .absent || active.seal == .unproven && status.mayHaveOpened(active.slot) {
            switch try dump(active.slot, cvc: scrutiny.dumpingCVC) {
            case .opened(let keys): return .opened(keys)
            case .unsealed(let address, _):
                // `read` proved a key, but not that it is this card's.
                guard case .proving(let cvc) = scrutiny else {
                    return .unsealed(active.slot, address, isProven: false)
                }
                try probe(active.slot, at: address, cvc: cvc)
                return .unsealed(active.slot, address, isProven: true)
            case .sealed where active.seal == .unproven: break
            case .sealed, .unused:
                throw TapError.badProof(
                    .slotKey, detail: "the card claims that slot \(active.slot) is sealed, but did not sign its key")
            }
        }
        try proveSlotOrigin()
        // A loss of power on the way leads to a new status, and the last proof was then for its slot.
        guard status.activeSlot == active.slot else {
            throw TapError.badProof(.slotState, detail: "slot \(active.slot) is no longer the card's active slot")
        }
        return .sealed(active)
    }

    /// A slot without an address in the status.
    func inactiveSlotReport(_ slot: SlotNumber, _ scrutiny: SlotScrutiny) throws -> SlotReport {
        // `dump` refuses a state that does not match the count of unsealed slots.
        switch try dump(slot, cvc: scrutiny.dumpingCVC) {
        case .opened(let keys): return .opened(keys)
        case .unsealed(let address, _):
            guard case .proving(let cvc) = scrutiny else { return .unsealed(slot, address, isProven: false) }
            try probe(slot, at: address, cvc: cvc)
            return .unsealed(slot, address, isProven: true)
        case .unused, .sealed: return .unused(slot)
        }
    }
}

extension SlotScrutiny {
    /// The CVC that goes with `dump`: only if the user asked for the keys.
    fileprivate var dumpingCVC: CVC? { if case .takingKeys(let cvc) = self { cvc } else { nil } }
}
