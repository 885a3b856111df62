import Bitcoin

/// A transaction that concerns a wallet.
package struct WalletTransaction: Sendable, Hashable {
    /// The transaction, which hashes to the id that the server named.
    package let transaction: Transaction
    /// Its id.
    package let id: TransactionID
    /// The height of its block, as the server says; `nil` while unconfirmed.
    package let height: Int?
    /// When that block was made, as the server says; `nil` while unconfirmed, and where it is not told.
    package let time: UnixTime?

    /// A transaction from its parts.
    package init(transaction: Transaction, id: TransactionID, height: Int?, time: UnixTime? = nil) {
        self.transaction = transaction
        self.id = id
        self.height = height
        self.time = time
    }
}

extension WalletTransaction {
    /// Blocks on top of a transaction, its own included, after which nobody expects it to vanish.
    static let safeDepth = 6

    /// Whether it stands so deep in a chain of this height that nobody expects it to vanish.
    func isDeep(atHeight height: Int) -> Bool { self.height.map { $0 <= height - (Self.safeDepth - 1) } ?? false }
}
