import TapProtocol

/// Something that a person has to say yes to.
public enum Question: Sendable {
    /// Whether a transaction is signed.
    case sign(SigningQuestion)
    /// Whether a slot of a SATSCARD is set up although the card's version cannot prove that a slot is sealed: nothing will
    /// prove its address.
    case setUpUnprovenSlot(CardAtHand)
    /// Whether a slot's key is taken out of a SATSCARD.
    case unseal(UnsealingQuestion)
    /// Whether a SATSCARD's next slot is given a key, now that another one was opened. Only offered: on a no the task has
    /// done what it was for.
    case setUpNextSlot(CardAtHand, SlotNumber)
}

/// The question whether a transaction is signed with a card.
public struct SigningQuestion: Sendable {
    /// Why it is asked.
    public enum Occasion: Sendable, Equatable {
        /// The transaction was not shown yet.
        case first
        /// It was shown, and confirmed, for another card.
        case furtherSigner
        /// It was shown, and confirmed; now that the card has told its keys, this speaks against it besides.
        case worse([Finding])
    }

    /// Who signs.
    public let signer: CardAtHand
    /// What the transaction does, as far as it is known before the card has told its keys, or with them.
    public let review: TransactionReview
    /// What speaks against it, and what is worth knowing.
    public let findings: [Finding]
    /// How many signatures are asked for; `nil` when only the card's keys will tell.
    public let signatureCount: Int?
    /// Whether the signer's keys are known, so that the review tells inputs and change from those of others.
    public let areKeysKnown: Bool
    /// Why it is asked.
    public let occasion: Occasion
}
