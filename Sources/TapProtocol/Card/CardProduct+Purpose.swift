extension CardProduct {
    /// What such a card is for, to be said when it was asked for something else.
    package var purpose: String {
        switch self {
        case .satscard: "A SATSCARD has slots, which are paid to and unsealed."
        case .tapsigner: "A TAPSIGNER signs. Slots are a SATSCARD's."
        case .satschip:
            "A SATSCHIP signs, as a TAPSIGNER does, but has neither slots nor a backup: its key is in this card alone."
        }
    }
}
