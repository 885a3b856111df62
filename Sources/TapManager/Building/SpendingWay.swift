import Bitcoin

/// One way to spend the coins of a wallet whose policy has several, and what a transaction needs to take it.
///
/// Spec: BIP-68, BIP-65 and BIP-112 for locks; BIP-379.
package struct SpendingWay: Sendable {
    /// Its number in the wallet's policy, from 1.
    package let number: Int
    /// What it takes.
    package let path: Descriptor.Path
    /// The weight that signing adds to each input.
    let satisfactionWeight: Int

    /// Every way to spend what a descriptor pays to; empty if it is not miniscript, or if there are more than 64 ways.
    package static func all(of descriptor: Descriptor) -> [SpendingWay] {
        let paths = descriptor.spendingPaths ?? []
        return zip(1..., paths).compactMap { number, path in
            descriptor.satisfactionWeight(of: path).map {
                SpendingWay(number: number, path: path, satisfactionWeight: $0)
            }
        }
    }

    /// The sequence number of each input.
    ///
    /// Spec: BIP-68: the type and 16 bits count.
    var sequence: UInt32? { path.older.first.map { $0 & (TimeLock.typeFlag | TimeLock.mask) } }

    /// The lock time that the transaction needs; `nil`: any.
    var lockTime: UInt32? { path.after.first }

    /// Whether no lock is one of time.
    var isOpenedByBlocks: Bool {
        !path.older.contains(where: TimeLock.isTime) && !path.after.contains(where: TimeLock.isDate)
    }

    /// Whether the locks that count blocks are open in the block after the last.
    func blocksHavePassed(for coin: WalletCoin, after height: Int) -> Bool {
        path.older.allSatisfy { lock in
            TimeLock.isTime(lock) || coin.height.map { $0 + Int(TimeLock.count(lock)) <= height + 1 } ?? false
        } && path.after.allSatisfy { TimeLock.isDate($0) || Int($0) <= height }
    }

    /// The first block in which it may spend a coin; `nil` if that is not known: the coin is unconfirmed, or the way opens
    /// at a time.
    package func openingHeight(of coin: WalletCoin) -> Int? {
        var height = 0
        for lock in path.older {
            guard !TimeLock.isTime(lock), let confirmed = coin.height else { return nil }
            height = max(height, confirmed + Int(TimeLock.count(lock)))
        }
        for lock in path.after {
            // A transaction is valid in blocks above its lock time (BIP-65).
            guard !TimeLock.isDate(lock) else { return nil }
            height = max(height, Int(lock) + 1)
        }
        return height
    }
}
