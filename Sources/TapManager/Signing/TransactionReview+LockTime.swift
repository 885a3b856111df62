extension TransactionReview {
    /// A block of bitcoin's chain, its height and its time: that of the fourth halving.
    private static let knownBlock: (height: Int64, seconds: Int64) = (840_000, 1_713_571_767)
    /// Two weeks of blocks: the tolerance for estimating the height by the clock.
    private static let tolerance: Int64 = 2_016
    /// Nodes use the median of the last blocks' times, which lags behind the clock.
    private static let medianLag: Int64 = 7_200

    /// Whether the lock time has passed. Wallets lock what they build to the last block; on bitcoin, the height for
    /// such a lock is estimated by the clock.
    ///
    /// Spec: BIP-65, BIP-113 (median time).
    package func isLockOpen(at now: UnixTime) -> Bool {
        guard lockTime > 0 else { return true }
        guard lockTime < TimeLock.firstDate else { return Int64(lockTime) <= now.seconds - Self.medianLag }
        if let knownHeight, Int(lockTime) <= knownHeight { return true }
        let blocks = max(0, now.seconds - Self.knownBlock.seconds) / TimeLock.secondsPerBlock
        return network == .main && Int64(lockTime) <= Self.knownBlock.height + blocks + Self.tolerance
    }
}
