extension CardProduct {
    /// What this product is for, to show when it was asked for something else.
    package var purpose: String {
        switch self {
        case .satscard: "A SATSCARD has slots that receive money and are unsealed to spend it."
        case .tapsigner: "A TAPSIGNER signs. Only a SATSCARD has slots."
        case .satschip:
            "A SATSCHIP signs like a TAPSIGNER, but has neither slots nor a backup: its key exists only on this card."
        }
    }
}
