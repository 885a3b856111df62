import Bitcoin

/// A transaction that concerns a wallet.
package struct WalletTransaction: Sendable, Hashable {
    /// The transaction, which matches the id that the server gave.
    package let transaction: Transaction
    /// Its id.
    package let id: TransactionID
    /// The height of its block, according to the server; `nil` while unconfirmed.
    package let height: Int?
    /// When that block was mined, according to the server; `nil` while unconfirmed, or if unknown.
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
    /// How many confirmations make it unlikely that a transaction vanishes.
    static let safeDepth = 6

    /// Whether it is so deep in a chain of this height that it is unlikely to vanish.
    func isDeep(atHeight height: Int) -> Bool { self.height.map { $0 <= height - (Self.safeDepth - 1) } ?? false }
}
