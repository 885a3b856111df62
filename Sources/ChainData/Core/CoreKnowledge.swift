import Bitcoin

/// What a node has said so far, to ask less.
struct CoreKnowledge {
    /// Transactions kept of the mempool.
    static let mostUnconfirmed = 5_000

    /// Heights of transactions with coins of ours: nodes without an index find them only in their block.
    var heights: [TransactionID: Int] = [:]
    /// When the blocks of the wallet's transactions were made, by height.
    var blockTimes: [Int: UInt32] = [:]
    /// The mempool's transactions, as far as they were fetched.
    var mempool: [TransactionID: Transaction] = [:]
    /// The coins found for each script at the last look.
    var coins: [Script: Set<Outpoint>] = [:]
    /// Scripts that the wallet knows.
    var imported: Set<Script> = []
    /// The wallet's transactions.
    var walletTransactions: [TransactionID: Transaction] = [:]
    /// The last state told, by what was asked for.
    var states: [[Script]: String] = [:]
}
