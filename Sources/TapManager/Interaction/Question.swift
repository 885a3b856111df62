import Bitcoin
import TapProtocol

/// Something that a person has to say yes to.
public enum Question: Sendable {
    /// Whether a transaction is signed.
    case sign(SigningQuestion)
    /// Whether a message is signed.
    case signMessage(MessageQuestion)
    /// Whether a transaction is signed with the key in an opened backup.
    case signWithBackup(Fingerprint, TransactionReview, findings: [Finding], signatureCount: Int)
    /// Whether a backup is opened to show its master private key.
    case openBackup
    /// Whether the master private key of this fingerprint is shown, now that its backup is open.
    case showMasterKey(Fingerprint)
    /// Whether a SATSCARD's slots are swept.
    case sweep(SweepQuestion)
    /// Whether the private keys of a SATSCARD's opened slots are taken out once more, where whoever listens to the reader learns
    /// the CVC.
    case showSlotKeys(CardAtHand)
    /// Whether the address of a slot is shown that the card calls sealed and cannot prove: a forgery with a genuine card behind it
    /// could show another one.
    case showUnprovenAddress(SlotNumber, CardAtHand)
    /// Whether a slot of a SATSCARD is set up although the card's version cannot prove that a slot is sealed: nothing will
    /// prove its address.
    case setUpUnprovenSlot(CardAtHand)
    /// Whether a TAPSIGNER or SATSCHIP that is ready already is moved to another path, or given another CVC, by setting it up.
    /// - `to`: the path; `nil`: it stays.
    case changeReadyCard(CardAtHand, to: DerivationPath?, changesCVC: Bool)
    /// Whether a wallet of several cards is made of accounts at paths where wallets of one key are (BIP-44, 49, 84, 86): other
    /// programs look for those of several keys elsewhere (BIP-48). The cards that are at such paths.
    case shareSingleKeyAccounts([CardAtHand])
    /// Whether a slot's key is taken out of a SATSCARD.
    case unseal(UnsealingQuestion)
    /// Whether a SATSCARD's next slot is given a key, now that another one was opened. Only offered: on a no the task has
    /// done what it was for.
    case setUpNextSlot(CardAtHand, SlotNumber)
    /// Whether a signed transaction is sent to the chain server of this name. It was confirmed before it was signed: where nobody
    /// can be asked, it is sent.
    case send(StoredTransactionReview, server: String)
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

/// The question whether slots of a SATSCARD are swept.
public struct SweepQuestion: Sendable {
    /// The card that signs.
    public let card: CardAtHand
    /// What the transaction does.
    public let review: TransactionReview
    /// What speaks against it, and what is worth knowing.
    public let findings: [Finding]
    /// The slots that are emptied, in their order.
    public let slots: [SlotNumber]
    /// The one of them that is still sealed, and is opened for good; `nil`: none.
    public let openedSlot: SlotNumber?
    /// Coins that stay where they are: each costs more than it is worth.
    public let leftBehind: [Outpoint]
}
