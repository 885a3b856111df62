import Bitcoin

/// What someone should know before paying to a slot's address.
package enum SlotCaution: Sendable, Equatable {
    /// The slot is unsealed: anyone who saw its key can take what is paid to it.
    case opened
    /// Nothing proves that the slot is sealed, as the card claims, nor that its address is the card's.
    case sealNotProven
    /// It is not the slot whose address is printed on the card: that one is unsealed.
    case notPrinted
}

extension SlotReport {
    /// What to show with the slot's address.
    package var cautions: [SlotCaution] {
        var cautions: [SlotCaution] = []
        if state == .unsealed {
            cautions.append(.opened)
        } else if !isSealProven {
            cautions.append(.sealNotProven)
        }
        if slot.index > 0 { cautions.append(.notPrinted) }
        return cautions
    }

    /// The address as a payment request; `nil` for a slot that is not sealed.
    package var invitation: PaymentURI? { state == .sealed ? address.map { PaymentURI(address: $0) } : nil }
}
