import Bitcoin
import SmartCard
import TapProtocol

/// Something that happened. What changes the store stands in it before it is told.
///
/// A program that shows wallets, transactions or unfinished flows reads anew what an event is about; what other processes
/// write to the same store is not told.
public enum ManagerEvent: Sendable, Equatable {
    /// A reader came or went, or a card on it: told to those who watch readers.
    case reader(ReaderEvent)
    /// What is known of a card has changed.
    case card(CardEvent)
    /// A flow does something with a card.
    case flow(CardIdent, FlowEvent)
    /// What a flow would go on with after an interruption has changed.
    case journal(CardIdent, JournalEvent)
    /// A transaction is being signed, card by card.
    case signing(TransactionID, SigningEvent)
    /// The wallet of this name has changed.
    case wallet(String, WalletEvent)
    /// A stored transaction has changed.
    case transaction(TransactionID, TransactionEvent)
    /// So many labels were saved.
    case labels(Int)
}

/// What has changed of what is known of a card.
public enum CardEvent: Sendable, Equatable {
    /// It was found on a reader where it was not known to lie.
    case found(SeenCard)
    /// It is not where it was found any more.
    case gone(SeenCard)
    /// The store remembers this of it from now on.
    case remembered(CardRecord)
    /// The store remembers nothing of it any more.
    case forgotten(CardIdent)
}

/// What has changed in the journal of a card's flows.
public enum JournalEvent: Sendable, Equatable {
    /// A flow is about to take this step.
    case recorded(FlowKind)
    /// The flow is finished, or nothing of it was done.
    case finished(FlowKind)
}

/// How far the signing of a transaction with cards has come.
public enum SigningEvent: Sendable, Equatable {
    /// The card has taken its CVC and told its keys, and what it signs is confirmed.
    case began(CardIdent)
    /// The card has added so many signatures, and so many are missing, of whichever signer.
    case ended(CardIdent, added: Int, missing: Int)
}

/// What has changed of a wallet.
public enum WalletEvent: Sendable, Equatable {
    /// There was none of its name.
    case added
    /// Its descriptors were replaced.
    case changed
    /// A chain server is being asked: so many addresses were looked for, so many are used, and so many transactions are here.
    case searching(addresses: Int, used: Int, transactions: Int)
    /// A chain server has answered, and what it said is kept.
    case synchronized(WalletSynchronization)
    /// It is gone; its transactions stay, and are of no wallet now.
    case removed
}

/// What has changed of a stored transaction.
public enum TransactionEvent: Sendable, Equatable {
    /// It was not stored before.
    case stored
    /// Its PSBT, network, wallet or note is another one.
    case changed
    /// A verified signature of an input was added, by the signer with this master fingerprint.
    case signed(input: Int, by: Fingerprint)
    /// A chain server took it.
    case sent
    /// This one takes its place: it is deleted, unless it was sent.
    case replaced(by: TransactionID)
    /// It vanished from the chain, or what had replaced it did: it counts as one that was sent, or can be, again.
    case restored
    /// It can no longer be sent: another one that is in a block spends its coins.
    case overtaken
    /// It is in a block, says a chain server.
    case confirmed
    /// It was deleted.
    case deleted
}
