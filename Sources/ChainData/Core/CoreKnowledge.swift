import Bitcoin

/// A node's answers so far, to avoid asking again.
struct CoreKnowledge {
    /// The most mempool transactions that are kept.
    static let mostUnconfirmed = 5_000

    /// Heights of transactions with our coins: nodes without an index find them only by block.
    var heights: [TransactionID: Int] = [:]
    /// When the blocks of the wallet's transactions were made, by height.
    var blockTimes: [Int: UInt32] = [:]
    /// The mempool's transactions, as far as fetched.
    var mempool: [TransactionID: Transaction] = [:]
    /// Whether the mempool was small enough to fetch, last time.
    var isMempoolKnown = false
    /// The coins last found in blocks for each script.
    var coins: [Script: Set<Outpoint>] = [:]
    /// Scripts that the wallet knows.
    var imported: Set<Script> = []
    /// The wallet's transactions.
    var walletTransactions: [TransactionID: Transaction] = [:]
    /// The last reported state, by what was requested.
    var states: [[Script]: String] = [:]
}
