import Bitcoin

/// What goes wrong with the local store. Nothing that was stored before is lost by any of these.
public enum StoreError: Error, Sendable, Equatable {
    /// Folder or file belongs to another user, or others may write it: what it says cannot be trusted.
    case unsafe(path: String, reason: String)
    /// A newer tapkit wrote it; this one would damage it.
    case newer(path: String)
    /// The file is damaged and was put aside under another name; the next use begins with an empty store.
    case damaged(path: String, setAside: String)
    /// The file is damaged, and could not be put aside.
    case damagedInUse(path: String, reason: String)
    /// Folder or file cannot be made or written.
    case notWritable(path: String, reason: String)
    /// The disk is full.
    case diskFull(path: String)
    /// Another process has been writing for longer than this one waits.
    case busy(path: String)
    /// A PSBT contradicts the stored one of the same transaction.
    case contradiction(TransactionID, PSBTError)
    /// There is no such transaction.
    case noSuchTransaction(TransactionID)
    /// Other stored transactions spend these coins.
    case coinsTaken([Outpoint: TransactionID])
    /// There is a wallet of this name.
    case walletExists(String)
    /// There is no wallet of this name.
    case noSuchWallet(String)
    /// Something that stands in the store cannot be read: what, and why.
    case unreadable(path: String, what: String)
    /// The database failed in another way; its own words, without values.
    case failed(path: String, reason: String)
}
