import Bitcoin

/// A transaction that concerns a script, as a server claims.
public struct HistoryEntry: Hashable, Sendable {
    /// The transaction.
    public let transactionID: TransactionID
    /// The height of its block; `nil` while it waits for one.
    public let height: Int?

    /// An entry from its parts.
    public init(transactionID: TransactionID, height: Int?) {
        self.transactionID = transactionID
        self.height = height
    }
}

/// An unspent output, as a server claims: nothing here is proven. `ChainSource.coins` proves amount and script.
public struct UnspentClaim: Hashable, Sendable {
    /// Which output.
    public let outpoint: Outpoint
    /// What it is worth.
    public let amount: Amount
    /// The height of its block; `nil` while it waits for one.
    public let height: Int?

    /// A claim from its parts.
    public init(outpoint: Outpoint, amount: Amount, height: Int?) {
        self.outpoint = outpoint
        self.amount = amount
        self.height = height
    }
}
