extension TransactionReview {
    /// A block of bitcoin's chain, its height and its time: the one of the fourth halving.
    private static let knownBlock: (height: Int64, seconds: Int64) = (840_000, 1_713_571_767)
    private static let secondsPerBlock: Int64 = 600
    /// Blocks of two weeks: so far the guess by the clock may lag behind.
    private static let tolerance: Int64 = 2_016
    /// Nodes go by the median of the last blocks' times, which is behind the clock.
    private static let medianLag: Int64 = 7_200

    /// Whether the transaction is valid by now, as far as its lock time goes. Wallets lock what they build to the last block; by
    /// bitcoin's clock such a lock is taken for open.
    ///
    /// Spec: BIP-65, BIP-113 (median time).
    package func isLockOpen(at now: UnixTime) -> Bool {
        guard lockTime > 0 else { return true }
        guard lockTime < TimeLockCheck.firstTimestamp else { return Int64(lockTime) <= now.seconds - Self.medianLag }
        if let knownHeight, Int(lockTime) <= knownHeight { return true }
        let blocks = max(0, now.seconds - Self.knownBlock.seconds) / Self.secondsPerBlock
        return network == .main && Int64(lockTime) <= Self.knownBlock.height + blocks + Self.tolerance
    }
}
