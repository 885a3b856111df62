import Bitcoin

/// An error of the local store. None of these loses anything that was stored before.
public enum StoreError: Error, Sendable, Equatable {
    /// Folder or file belongs to another user, or others can write to it, so its content cannot be trusted.
    case unsafe(path: String, reason: String)
    /// A newer tapkit wrote it; this one would damage it.
    case newer(path: String)
    /// The file is damaged and was moved to another name; the next use starts with an empty store.
    case damaged(path: String, setAside: String)
    /// The file is damaged, and could not be moved.
    case damagedInUse(path: String, reason: String)
    /// Folder or file cannot be created or written.
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
    /// A wallet with this name exists.
    case walletExists(String)
    /// There is no wallet of this name.
    case noSuchWallet(String)
    /// Unreadable content in the store: what, and why.
    case unreadable(path: String, what: String)
    /// The database failed in another way; its own error text, without values.
    case failed(path: String, reason: String)
}
