import TapProtocol

/// How closely opened slots are looked at.
enum SlotScrutiny: Sendable {
    /// What the card says of them, without a CVC.
    case looking
    /// The card proves that it holds their keys, which stay in it.
    case proving(CVC)
    /// The keys are taken out, because a person asked for them: whoever listens, and knows such a key, learns the CVC.
    case takingKeys(CVC)
}

/// A SATSCARD's slots, each with the proofs it can give, in as few exchanges as there can be.
extension TapSession {
    /// The active slot: proven with `derive` too while it is sealed; the last one is asked with `dump` where `check`
    /// leaves open whether it was opened.
    /// - Returns: `nil` behind the last slot of a full card.
    /// - Throws: `TapError.badProof(.slotKey)` when the card calls a slot sealed and does not sign its key.
    func activeSlotReport(_ proof: CardProof, _ scrutiny: SlotScrutiny) throws -> SlotReport? {
        guard let active = proof.activeSlot else {
            guard let slot = status.activeSlot else { return nil }
            return status.mayHaveOpened(slot) ? try inactiveSlotReport(slot, scrutiny) : .unused(slot)
        }
        // Where the seal is not proven, a slot with others behind it is sealed as surely as `dump` could say.
        if active.seal == .absent || active.seal == .unproven && status.mayHaveOpened(active.slot) {
            switch try dump(active.slot, cvc: scrutiny.dumpingCVC) {
            case .opened(let keys): return .opened(keys)
            case .unsealed(let address, _):
                // What `read` proved is a key, and not that it is this card's.
                guard case .proving(let cvc) = scrutiny else {
                    return .unsealed(active.slot, address, isProven: false)
                }
                try probe(active.slot, at: address, cvc: cvc)
                return .unsealed(active.slot, address, isProven: true)
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
    func inactiveSlotReport(_ slot: SlotNumber, _ scrutiny: SlotScrutiny) throws -> SlotReport {
        // `dump` refuses a state that does not fit the count of opened slots.
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
    /// The CVC that goes with `dump`: only where a person asked for the keys.
    fileprivate var dumpingCVC: CVC? { if case .takingKeys(let cvc) = self { cvc } else { nil } }
}
