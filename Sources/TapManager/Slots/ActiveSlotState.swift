import Bitcoin
import TapProtocol

/// What a SATSCARD's status and its proofs show about the active slot, without asking about every slot.
package enum ActiveSlotState: Sendable, Equatable {
    /// Its key is in the card: proven or, before version 1.0.0, only claimed.
    case sealed(isProven: Bool)
    /// The last slot of a card before version 1.0.0 has a key, and may be unsealed: some full cards still show its
    /// address.
    case sealedOrOpened
    /// It has no key yet; with its number.
    case unused(SlotNumber)
    /// The last slot has no address: it has no key yet, or is unsealed.
    case unusedOrOpened
    /// The last slot is unsealed: the card is used up.
    case usedUp

    /// - Parameter active: the active slot, proven; `nil` if it has no key.
    /// - Returns: `nil` for cards without slots.
    package init?(_ status: CardStatus, _ active: ActiveSlot?) {
        guard status.product == .satscard else { return nil }
        guard let slot = status.activeSlot else {
            self = .usedUp
            return
        }
        self =
            switch active?.seal {
            case .proven: .sealed(isProven: true)
            case .unproven: status.mayHaveOpened(slot) ? .sealedOrOpened : .sealed(isProven: false)
            case .absent: .usedUp
            case nil: status.mayHaveOpened(slot) ? .unusedOrOpened : .unused(slot)
            }
    }

    /// Whether money may be sent to the slot's address.
    package var isToBePaidTo: Bool { if case .sealed = self { true } else { false } }

    /// Whether the card proved that the slot is sealed; `nil` for one that is not.
    package var isProven: Bool? { if case .sealed(let isProven) = self { isProven } else { nil } }
}

extension CardProof {
    /// What is known about a SATSCARD's active slot; `nil` for other cards, and for one that no accepted factory made.
    package var slotState: ActiveSlotState? {
        verdict.isAccepted ? ActiveSlotState(status, activeSlot) : nil
    }

    /// The active slot's address, if money may be sent there.
    package var addressToPay: Address? { slotState?.isToBePaidTo == true ? activeSlot?.address : nil }
}
