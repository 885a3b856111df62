import Bitcoin
import SmartCard
import TapProtocol

/// Something that happened. Changes are in the store before they are reported.
///
/// A program that shows wallets, transactions or unfinished flows reads again what an event is about. Changes by other
/// processes to the same store are not reported.
public enum ManagerEvent: Sendable, Equatable {
    /// A reader, or a card on it, came or went; for those who watch readers.
    case reader(ReaderEvent)
    /// What is known about a card has changed.
    case card(CardEvent)
    /// A flow does something with a card.
    case flow(CardIdent, FlowEvent)
    /// The unfinished work of a flow has changed.
    case journal(CardIdent, JournalEvent)
    /// A transaction is being signed, card by card.
    case signing(TransactionID, SigningEvent)
    /// The wallet with this name has changed.
    case wallet(String, WalletEvent)
    /// A stored transaction has changed.
    case transaction(TransactionID, TransactionEvent)
    /// This many labels were saved.
    case labels(Int)
}

/// A change in what is known about a card.
public enum CardEvent: Sendable, Equatable {
    /// It was found on a reader where it was not known to be.
    case found(SeenCard)
    /// It is no longer where it was found.
    case gone(SeenCard)
    /// The store remembers this about it from now on.
    case remembered(CardRecord)
    /// The store no longer remembers anything about it.
    case forgotten(CardIdent)
}

/// A change in the journal of a card's flows.
public enum JournalEvent: Sendable, Equatable {
    /// A flow is about to take this step.
    case recorded(FlowKind)
    /// The flow is finished, or nothing of it was done.
    case finished(FlowKind)
}

/// The progress of signing a transaction with cards.
public enum SigningEvent: Sendable, Equatable {
    /// The card has accepted its CVC and shown its keys, and what it signs is confirmed.
    case began(CardIdent)
    /// The card has added signatures; `missing` counts those of all signers.
    case ended(CardIdent, added: Int, missing: Int)
}

/// A change of a wallet.
public enum WalletEvent: Sendable, Equatable {
    /// It is new.
    case added
    /// Its descriptors were replaced.
    case changed
    /// A chain server is being asked: how many addresses were searched, how many are used, and how many transactions
    /// were fetched.
    case searching(addresses: Int, used: Int, transactions: Int)
    /// A chain server has answered, and the answer is stored.
    case synchronized(WalletSynchronization)
    /// It was removed; its transactions stay, without a wallet.
    case removed
}

/// A change of a stored transaction.
public enum TransactionEvent: Sendable, Equatable {
    /// It was not stored before.
    case stored
    /// Its PSBT, network, wallet or note has changed.
    case changed
    /// A verified signature of an input was added, by the signer with this master fingerprint.
    case signed(input: Int, by: Fingerprint)
    /// A chain server accepted it.
    case sent
    /// This one replaces it: it is deleted, unless a chain server was given it.
    case replaced(by: TransactionID)
    /// It vanished from the chain, or what had replaced it did: it counts as sent, or can be sent, again.
    case restored
    /// It can no longer be sent: a confirmed transaction spends its coins.
    case overtaken
    /// It is confirmed, according to a chain server.
    case confirmed
    /// It was deleted.
    case deleted
}
