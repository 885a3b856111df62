import Bitcoin
import ExplainedErrors
import TapProtocol

/// Something that the user is told, and need not answer.
public enum Notice: Sendable {
    /// The user must do something, which is waited for.
    case request(HandRequest)
    /// Something that keeps a wait from ending; reported once each.
    case obstacle(any ExplainedError)
    /// The card reports that it was tampered with.
    case tampered(CardAtHand)
    /// The card is locked out after wrong CVCs, for as many seconds as its status says. Reported before anything is
    /// asked; the task waits for the lockout's end before it sends a CVC.
    case lockedOut(CardAtHand)
    /// The card has no key for the task.
    case cannotHelp(CardAtHand)
    /// How many of the needed accounts have been read.
    case accounts(Int, of: Int)
    /// More is known about what was confirmed, now that the card has proven its keys; there is no new warning.
    case review(TransactionReview, [Finding])
    /// Nothing is left to sign: every signature that was asked for exists. So nothing else is asked.
    case alreadySigned(TransactionReview, [Finding])
    /// A server no longer has this many transactions that were deep in the chain: it may lag behind, or be on another
    /// chain.
    case vanished(Int, server: String)
    /// A payment that vanished from the chain is stored again: it is signed, and can still be mined.
    case restored(TransactionID)
    /// A stored transaction can no longer be sent: a confirmed one spends its coins.
    case overtaken(TransactionID)
    /// This transaction was sent, but someone had deleted it from the store in the meantime; it stays deleted.
    case sentUnstored(TransactionID)
    /// The chain server's fee rate for confirmation within this many blocks.
    case feeRate(FeeRate, blocks: Int)
    /// How much of the money in the slots is unconfirmed, and not swept.
    case unconfirmedStay(Amount)
    /// The built transaction pays everything, except these coins.
    case coinsStay(CoinsLeftBehind)
    /// The built transaction spends unconfirmed coins of others: if their sender takes them back, it becomes invalid.
    case spendsUnconfirmed
    /// A sweep that an earlier run stored is continued.
    case resumingSweep(TransactionID)
    /// A wallet that is only viewed is unsafe, and is not used for anything else.
    case unsoundWallet(any ExplainedError)
    /// Something worth knowing about what is going to be done.
    case findings([Finding])
    /// The card could not be moved back from a temporary path.
    case leftAway(CardAtHand, at: DerivationPath, own: DerivationPath)
    /// The card's setup was interrupted, and is not finished: it may have no backup yet, and the printed CVC.
    case setupUnfinished(CardAtHand)
    /// The card can make backups, and has made none: if it gets lost, so does its key.
    case notBackedUp(CardAtHand)
    /// The card has no backup, so the file chosen for it is not written.
    case noBackup(CardAtHand, file: BackupFile)
    /// The card sent the key of a slot that is being swept in plain as it unsealed it: anyone who was listening has the
    /// key, and can take the money until the sweep is confirmed.
    /// - `isCertain`: whether that is certain; otherwise the card may have done so in an answer that is lost, or that
    ///   an earlier run got.
    case slotKeyExposed(CardAtHand, SlotNumber, isCertain: Bool)
    /// A slot's key was shown, but the store could not be updated: it still has the unsealing as unfinished.
    case openingNotKept(CardAtHand, any ExplainedError)
    /// A backup was decrypted for signing: its key is in this machine's memory, so all its money should be moved to a
    /// new one.
    case keyIsHot(Fingerprint)
    /// A decrypted backup ends in the middle of its path; its master key is complete.
    case backupCutOff
    /// The backup signer's signatures are in the result, but not in the store.
    case notKept(any ExplainedError)
}

/// What only the user can do by hand.
public enum HandRequest: Sendable, Equatable {
    /// Attach a reader.
    case attachReader
    /// Put the card on the reader.
    case layCard
    /// Put all cards that shall work together on a reader, at once or one after the other.
    case layCards
    /// Put the next card on the reader, whichever it is.
    case layNextCard
    /// Put one of the cards that can still sign on the reader.
    case layNextSigner(MissingSigners)
}

/// Who can still sign a transaction.
public struct MissingSigners: Sendable, Equatable {
    /// How far it is signed.
    public let tally: SignatureTally
    /// Those who can sign, in the tally's order, each with the card that is remembered to have the key.
    public let signers: [Signer]

    /// One who can sign.
    public struct Signer: Sendable, Equatable {
        /// The key.
        public let fingerprint: Fingerprint
        /// The card; `nil` if none is known to have the key.
        public let card: CardIdent?
        /// The card's name for people; `nil` if the card is.
        package let label: String?
    }
}
