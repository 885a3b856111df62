import TapProtocol

/// What `status` tells of a SATSCARD's active slot without asking about every slot.
enum SlotState {
    /// Its key is in the card, proven or (before version 1.0.0) said so.
    case sealed(isProven: Bool)
    /// It has no key yet.
    case unused
    /// The last slot has no address: it has no key yet, or was opened.
    case unusedOrOpened
    /// The last slot was opened: the card is used up.
    case usedUp

    /// `nil` for cards without slots.
    init?(_ status: CardStatus, _ active: ActiveSlot?) {
        guard status.product == .satscard else { return nil }
        guard let slot = status.activeSlot else {
            self = .usedUp
            return
        }
        self =
            switch active?.seal {
            case .proven: .sealed(isProven: true)
            case .unproven: .sealed(isProven: false)
            case .absent: .usedUp
            case nil: status.mayHaveOpened(slot) ? .unusedOrOpened : .unused
            }
    }

    /// Whether money may be sent to the slot's address.
    var isToBePaidTo: Bool { if case .sealed = self { true } else { false } }

    /// Whether the card proved that the slot is sealed; `nil` for one that is not.
    var isProven: Bool? { if case .sealed(let isProven) = self { isProven } else { nil } }

    /// As `--json` shows it; `nil` when it is not known.
    var word: String? {
        switch self {
        case .sealed: "sealed"
        case .unused: "unused"
        case .unusedOrOpened: nil
        case .usedUp: "unsealed"
        }
    }

    /// For people.
    var text: String {
        switch self {
        case .sealed(isProven: true): "sealed"
        case .sealed(isProven: false): "sealed, says the card (its version cannot prove it)"
        case .unused: "unused"
        case .unusedOrOpened: "unused or opened (tapkit slots finds out)"
        case .usedUp: "OPENED: the card is used up"
        }
    }

    /// What to do with the card now.
    var nextStep: String {
        switch self {
        case .sealed(isProven: true): "tapkit address to be paid, tapkit unseal to take the money out"
        case .sealed(isProven: false): "tapkit address, which asks first, or tapkit unseal to take the money out"
        case .unused: "tapkit setup gives the slot a key"
        case .unusedOrOpened: "tapkit slots"
        case .usedUp: "tapkit slots; do not pay to this card any more"
        }
    }
}
