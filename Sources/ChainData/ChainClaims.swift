import Bitcoin

/// A transaction that concerns a script, as a server claims.
public struct HistoryEntry: Hashable, Sendable {
    /// What the transaction must hash to once it is fetched.
    public let transactionID: TransactionID
    /// The height of its block; `nil` while it waits for one.
    public let height: Int?

    /// - Parameter height: of the transaction's block, the first block's being 0; `nil` while it waits for one.
    public init(transactionID: TransactionID, height: Int?) {
        self.transactionID = transactionID
        self.height = height
    }
}

/// An unspent output, as a server claims: nothing here is proven. `ChainSource.coins` proves amount and script.
public struct UnspentClaim: Hashable, Sendable {
    /// The transaction that is said to have the output, and the output's number in it.
    public let outpoint: Outpoint
    /// What the server says that it is worth, 0…21 000 000 BTC.
    public let amount: Amount
    /// The height of its block; `nil` while it waits for one.
    public let height: Int?

    /// - Parameter height: of the transaction's block, the first block's being 0; `nil` while it waits for one.
    public init(outpoint: Outpoint, amount: Amount, height: Int?) {
        self.outpoint = outpoint
        self.amount = amount
        self.height = height
    }
}
