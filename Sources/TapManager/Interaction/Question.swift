import Bitcoin

/// Something that a person has to say yes to.
public enum Question: Sendable {
    /// Whether a transaction is signed.
    case sign(SigningQuestion)
    /// Whether somebody is paid to whom a payment may be on its way: these findings say so, notices included.
    case payAgain([Finding])
    /// Whether coins that labels keep from being spent may be spent from now on.
    case thaw([Outpoint])
    /// Whether a wallet is forgotten: without its descriptors nobody finds its addresses again.
    case removeWallet(StoredWallet)
    /// Whether a stored transaction is forgotten.
    case deleteTransaction(DeletionQuestion)
    /// Whether the store forgets what was seen of a card.
    case forgetCard(CardRecord)
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
