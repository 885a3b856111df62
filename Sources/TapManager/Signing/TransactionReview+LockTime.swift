extension TransactionReview {
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
        return HeightEstimate.isReached(lockTime, on: network, at: now)
    }
}
