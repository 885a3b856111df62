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

    /// Every way to spend what a descriptor pays to; empty if its policy has only one kind of signing, or more ways than
    /// anybody reads.
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
    var sequence: UInt32? { path.older.first.map { $0 & (SpendingLock.typeFlag | SpendingLock.mask) } }

    /// The lock time that the transaction needs; `nil`: any.
    var lockTime: UInt32? { path.after.first }

    /// The first block in which it may spend a coin; `nil` if that is not known: the coin is unconfirmed, or the way opens
    /// at a time.
    package func openingHeight(of coin: WalletCoin) -> Int? {
        var height = 0
        for lock in path.older {
            guard !SpendingLock.isTime(lock), let confirmed = coin.height else { return nil }
            height = max(height, confirmed + Int(SpendingLock.count(lock)))
        }
        for lock in path.after {
            // A transaction is valid in blocks above its lock time (BIP-65).
            guard !SpendingLock.isDate(lock) else { return nil }
            height = max(height, Int(lock) + 1)
        }
        return height
    }
}

/// The parts of a lock time.
///
/// Spec: BIP-68; BIP-65.
package enum SpendingLock {
    static let typeFlag: UInt32 = 1 << 22
    static let mask: UInt32 = 0xFFFF
    /// The first absolute lock time that is not a height.
    static let firstTime: UInt32 = 500_000_000
    /// The unit of relative locks in time, in seconds.
    package static let secondsPerUnit: Int64 = 512

    /// Whether a relative lock counts time, and not blocks.
    package static func isTime(_ lock: UInt32) -> Bool { lock & typeFlag != 0 }

    /// How many blocks, or units of time, a relative lock counts.
    package static func count(_ lock: UInt32) -> UInt32 { lock & mask }

    /// Whether an absolute lock is a time, and not a height.
    package static func isDate(_ lock: UInt32) -> Bool { lock >= firstTime }
}
