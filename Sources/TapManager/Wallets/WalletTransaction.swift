import Bitcoin

/// A transaction that concerns a wallet.
public struct WalletTransaction: Sendable, Hashable {
    /// The transaction, which hashes to the id that the server named.
    public let transaction: Transaction
    /// Its id.
    public let id: TransactionID
    /// The height of its block, as the server says; `nil` while unconfirmed.
    public let height: Int?

    /// A transaction from its parts.
    public init(transaction: Transaction, id: TransactionID, height: Int?) {
        self.transaction = transaction
        self.id = id
        self.height = height
    }
}
