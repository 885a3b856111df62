import Bitcoin
import ExplainedErrors
import TapProtocol

/// Something that a person is told, and need not answer.
public enum Notice: Sendable {
    /// Something must be done by hand, and is waited for.
    case request(HandRequest)
    /// What stands in the way while something is waited for; each thing is told once.
    case obstacle(any ExplainedError)
    /// The card says that somebody tampered with it.
    case tampered(CardAtHand)
    /// The card was asked, and has no key for what is to be done.
    case cannotHelp(CardAtHand)
    /// So many of the accounts that are needed were read.
    case accounts(Int, of: Int)
    /// What was confirmed is known better, now that the card has told its keys; nothing speaks against it that did not before.
    case review(TransactionReview, [Finding])
    /// So many transactions that were deep in the chain are not there any more, says a server: it may lag behind, or be on another
    /// chain.
    case vanished(Int, server: String)
    /// A payment that vanished from the chain is stored again: its signatures are there, and it can still be put in a block.
    case restored(TransactionID)
    /// A stored transaction can no longer be sent: another one that is in a block spends its coins.
    case overtaken(TransactionID)
    /// This transaction was sent, and somebody had deleted it from the store meanwhile: it stays deleted.
    case sentUnstored(TransactionID)
    /// What the chain server says that is to be paid to be in one of so many blocks.
    case feeRate(FeeRate, blocks: Int)
    /// So much of what lies in the slots is unconfirmed, and not swept.
    case unconfirmedStay(Amount)
    /// What was just built spends unconfirmed coins: if whoever paid them takes them back, it is worth nothing.
    case spendsUnconfirmed
    /// An earlier run stored this sweep, and it is gone on with.
    case resumingSweep(TransactionID)
    /// A wallet that is only looked at is not sound, and is used for nothing else.
    case unsoundWallet(any ExplainedError)
    /// Something is worth knowing of what is about to be done.
    case findings([Finding])
    /// The card could not be brought back from a path that it was moved to.
    case leftAway(CardAtHand, at: DerivationPath, own: DerivationPath)
    /// The card has no backup, so the file that was named for it is not written.
    case noBackup(CardAtHand, file: String)
    /// A slot's key was shown, and the store could not be told: it goes on calling the opening unfinished.
    case openingNotKept(CardAtHand, any ExplainedError)
    /// A backup was opened to sign with it: its key is in this machine's memory, so all its money should be moved to a new one.
    case keyIsHot(Fingerprint)
    /// A backup that was opened ends in the middle of its path; its master key is whole.
    case backupCutOff
    /// The signatures that a backup's key made are in the result, and not in the store.
    case notKept(any ExplainedError)
}

/// What only a person's hand can do.
public enum HandRequest: Sendable, Equatable {
    /// A reader is to be attached.
    case attachReader
    /// The card is to be laid on the reader.
    case layCard
    /// All cards that shall work together are to be laid down, at once or one after the other.
    case layCards
    /// The next card is to be laid down, whichever it is.
    case layNextCard
    /// One of the cards that can still sign is to be laid down.
    case layNextSigner(MissingSigners)
}

/// Who can still sign a transaction.
public struct MissingSigners: Sendable, Equatable {
    /// How far it is signed.
    public let tally: SignatureTally
    /// Those who can sign, in the tally's order, with the card that is remembered to have the key.
    public let signers: [Signer]

    /// One who can sign.
    public struct Signer: Sendable, Equatable {
        /// The key.
        public let fingerprint: Fingerprint
        /// The card; `nil` when none is known to have it.
        public let card: CardIdent?
        /// What the person called the card; `nil`: nothing.
        package let name: String?
    }
}
