import Bitcoin
import ChainData

/// Confirms that transactions can be where the server says: that their locks have passed there. A valid signature does not
/// show it: whoever may spend a coin in a year can sign for it today, and a user who believes that it was spent pays again.
///
/// Locks until a time are not checked, nor relative ones of coins whose transactions do not concern the wallet.
///
/// Spec: BIP-68, and `nLockTime`; threats, "The chain server".
struct LockProof: Sendable {
    /// How many blocks heights may be off: histories are asked for one after the other while blocks come and go.
    private static let tolerance = 6
    /// The fewest seconds for a block, on average, since the last answer; and how many blocks may come at once.
    private static let (leastSecondsPerBlock, mostAtOnce): (Int64, Int64) = (300, 36)

    private static let firstVersionWithRelativeLocks: UInt32 = 2

    /// The heights of the wallet's transactions; that of an earlier answer if it is higher, as a server could make a coin
    /// older than it is.
    private let heights: [TransactionID: Int]
    /// The height of the next block.
    private let next: Int

    /// - Parameters:
    ///   - transactions: what the server reports.
    ///   - known: an earlier answer.
    ///   - tip: the height of the last block, as the server says.
    ///   - time: the current time, by which the chain cannot have grown too far since the earlier answer.
    init(
        of transactions: [WalletTransaction], known: WalletChain?, tip: Int, on network: Network, at time: UnixTime
    ) {
        var next = tip + 1
        if network == .main, let known {
            let (elapsed, _) = time.seconds.subtractingReportingOverflow(known.time.seconds)
            let most = max(0, elapsed) / Self.leastSecondsPerBlock + Self.mostAtOnce
            next = min(next, Int(clamping: Int64(known.height) + most))
        }
        let before = Dictionary(
            (known?.transactions ?? []).map { ($0.id, $0.height ?? 0) }, uniquingKeysWith: { first, _ in first })
        heights = Dictionary(
            transactions.map { ($0.id, max($0.height ?? next, before[$0.id] ?? 0)) },
            uniquingKeysWith: { first, _ in first })
        self.next = next
    }

    /// Confirms that a transaction's locks have passed where it is said to be.
    /// - Throws: `.liar`, with the id.
    func verify(_ entry: WalletTransaction) throws(ChainError) {
        let transaction = entry.transaction
        let latest = min(entry.height ?? next, next) + Self.tolerance
        let isLocked = transaction.inputs.contains { $0.sequence != TimeLock.final }
        if isLocked, !TimeLock.isDate(transaction.lockTime), Int(transaction.lockTime) >= latest {
            throw .liar("the transaction \(entry.id) is valid only after block \(transaction.lockTime)")
        }
        guard transaction.version >= Self.firstVersionWithRelativeLocks else { return }
        for input in transaction.inputs where !TimeLock.isTime(input.sequence) {
            guard let blocks = TimeLock.relative(input.sequence), let parent = heights[input.outpoint.transactionID]
            else { continue }
            guard latest >= parent + Int(blocks) else {
                throw .liar(
                    "the transaction \(entry.id) spends \(input.outpoint) before it is \(blocks) blocks old")
            }
        }
    }
}
