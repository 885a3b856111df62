import Bitcoin
import TapProtocol

/// Something that the user must agree to.
public enum Question: Sendable {
    /// Whether to sign a transaction.
    case sign(SigningQuestion)
    /// Whether to sign a message.
    case signMessage(MessageQuestion)
    /// Whether to sign a record of a card's extended key for the coordinator of a multisig wallet (BIP-129). It moves no
    /// money, but the coordinator makes a wallet with this key; if nobody can be asked, a front end may agree, as for a
    /// message.
    /// - `at`: the account's path; `key`: its extended key, `nil` if the card has not proven it to this store before.
    /// - `isEncrypted`: whether the coordinator's secret token encrypts the record; otherwise it is plain text.
    /// - `description`: the name for the key that the coordinator will show.
    case signKeyRecord(CardAtHand, at: DerivationPath, key: ExtendedPublicKey?, isEncrypted: Bool, description: String)
    /// Whether a card shall sign a wallet, to register it.
    case registerWallet(RegistrationQuestion)
    /// Whether to decrypt a backup to show its master private key.
    case openBackup
    /// Whether to show the master private key with this fingerprint, now that its backup is decrypted.
    case showMasterKey(Fingerprint)
    /// Whether to sweep a SATSCARD's slots.
    case sweep(SweepQuestion)
    /// Whether to read the private keys of a SATSCARD's unsealed slots again, although anyone listening to the reader
    /// would learn the CVC.
    case showSlotKeys(CardAtHand)
    /// Whether to show the address of a slot that the card claims is sealed, but cannot prove: a counterfeit that relays to
    /// a genuine card could show a different one.
    case showUnprovenAddress(SlotNumber, CardAtHand)
    /// Whether to set up a slot of a SATSCARD whose version cannot prove that a slot is sealed: nothing will prove its
    /// address.
    case setUpUnprovenSlot(CardAtHand)
    /// Whether setting up a TAPSIGNER or SATSCHIP that is ready already may move it to another path, or change its CVC.
    /// - `to`: the path; `nil`: no change.
    case changeReadyCard(CardAtHand, to: DerivationPath?, changesCVC: Bool)
    /// Whether to make a wallet of several cards from accounts at paths for wallets of one key (BIP-44, 49, 84, 86):
    /// other programs look for multisig keys elsewhere (BIP-48). Lists the cards at such paths.
    case shareSingleKeyAccounts([CardAtHand])
    /// Whether to make a wallet of one key from a card's account at a cosigner's path (BIP-48): other programs do not
    /// look there for such a wallet.
    case useCosignersAccount(CardAtHand, at: DerivationPath)
    /// Whether to read a slot's private key from a SATSCARD.
    case unseal(UnsealingQuestion)
    /// Whether to give a SATSCARD's next slot a key, now that another one is unsealed. Only an offer: after a no, the
    /// task is still complete.
    case setUpNextSlot(CardAtHand, SlotNumber)
    /// Whether to send a signed transaction to the chain server of this name. If nobody can be asked, it is
    /// sent, unless a finding that can lose money was not shown when a card signed for this store.
    case send(StoredTransactionReview, server: String)
    /// Whether to pay someone to whom a payment may be on its way already, as these findings and notices show.
    case payAgain([Finding])
    /// Whether coins frozen by labels may be spent from now on.
    case thaw([Outpoint])
    /// Whether to delete a wallet: without its descriptors, its addresses cannot be found again.
    case removeWallet(StoredWallet)
    /// Whether to delete a stored transaction.
    case deleteTransaction(DeletionQuestion)
    /// Whether to delete what the store has about a card.
    case forgetCard(CardRecord)
}

/// The question whether to sign a transaction. It is asked before a CVC or backup key, and again if the signer's keys,
/// once known, make it worse.
public struct SigningQuestion: Sendable {
    /// Whose key signs.
    public enum Signer: Sendable {
        /// The card's.
        case card(CardAtHand)
        /// The one in a backup of a lost card, with the master key's fingerprint once the backup is decrypted.
        case backup(Fingerprint?)
    }

    /// Why it is asked.
    public enum Occasion: Sendable, Equatable {
        /// The transaction has not been shown yet.
        case first
        /// It was shown and confirmed for another card.
        case furtherSigner
        /// It was shown and confirmed, but the signer's keys, now known, led to these findings as well.
        case worse([Finding])
    }

    /// Whose key signs.
    public let signer: Signer
    /// What the transaction does. Before the signer's keys are known, no change is proven unless the store has the keys
    /// of a remembered card.
    public let review: TransactionReview
    /// Notices and warnings; never a refusal, for which nothing is asked.
    public let findings: [Finding]
    /// How many signatures the signer has left to make, one for each input that it signs. `nil` if that depends on the
    /// signer's keys, which are not known yet: then the review cannot distinguish its inputs and change from others'.
    public let signatureCount: Int?
    /// Why it is asked.
    public let occasion: Occasion

    /// The same for somebody who has not been shown the transaction yet, as nobody had to be asked about another card.
    package var asFirst: SigningQuestion {
        SigningQuestion(
            signer: signer, review: review, findings: findings, signatureCount: signatureCount, occasion: .first)
    }
}

/// The question whether to sweep slots of a SATSCARD.
public struct SweepQuestion: Sendable {
    /// The card that signs.
    public let card: CardAtHand
    /// What the transaction does.
    public let review: TransactionReview
    /// Notices and warnings.
    public let findings: [Finding]
    /// The slots to empty, in order.
    public let slots: [SlotNumber]
    /// The one that is still sealed, and will be unsealed permanently; `nil`: none.
    public let openedSlot: SlotNumber?
    /// Coins that are left behind, as spending each costs more than it is worth.
    public let leftBehind: [Outpoint]
}
