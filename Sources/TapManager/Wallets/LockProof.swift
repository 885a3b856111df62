import Bitcoin
import ChainData

/// Confirms that transactions can be where the server says: that their locks have passed there. A valid signature does not
/// show it: whoever may spend a coin in a year can sign for it today, and a user who believes that it was spent pays again.
///
/// The heights are the server's: one that lies about these, too, is not found out. Relative locks are checked only in blocks,
/// and only of coins whose transactions concern the wallet.
///
/// Spec: BIP-68, and `nLockTime`; threats, "The chain server".
struct LockProof: Sendable {
    /// How many blocks heights may be off: the chain may grow, and change, while the server is asked.
    private static let tolerance = 144
    /// How many seconds the clock may be off.
    private static let clockTolerance: Int64 = 86_400
    private static let firstVersionWithRelativeLocks: UInt32 = 2

    /// The heights of the transactions.
    private let heights: [TransactionID: Int]
    /// The height of the next block.
    private let next: Int
    private let time: UnixTime

    /// - Parameters:
    ///   - transactions: what the server reports, none in a block after the last one.
    ///   - tip: the height of the last block.
    ///   - time: the current time.
    init(of transactions: [WalletTransaction], tip: Int, at time: UnixTime) {
        let next = 1 + tip
        (self.next, self.time) = (next, time)
        heights = Dictionary(
            transactions.map { ($0.id, $0.height ?? next) }, uniquingKeysWith: { first, _ in first })
    }

    /// Confirms that a transaction's locks have passed where it is said to be.
    /// - Throws: `.liar`, with the id.
    func verify(_ entry: WalletTransaction) throws(ChainError) {
        let transaction = entry.transaction
        let latest = (entry.height ?? next) + Self.tolerance
        if transaction.inputs.contains(where: { $0.sequence != TimeLock.final }) {
            guard isOpen(transaction.lockTime, at: latest) else {
                throw .liar("the transaction \(entry.id) is not valid yet (lock time \(transaction.lockTime))")
            }
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

    private func isOpen(_ lockTime: UInt32, at height: Int) -> Bool {
        TimeLock.isDate(lockTime)
            ? Int64(lockTime) <= time.seconds + Self.clockTolerance : Int(lockTime) < height
    }
}
