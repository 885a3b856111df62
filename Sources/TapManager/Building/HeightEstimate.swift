import Bitcoin

/// About how high bitcoin's chain is, by the clock: for locks, where nobody else says, or somebody may lie.
enum HeightEstimate {
    /// A block of bitcoin's chain, its height and its time: that of the fourth halving.
    private static let knownBlock: (height: Int64, seconds: Int64) = (840_000, 1_713_571_767)
    /// Two weeks of blocks: the tolerance for estimating the height by the clock.
    private static let tolerance: Int64 = 2_016
    /// What a last block may be ahead of the estimate and still become a lock: about 140 days, as clocks can be wrong.
    private static let mostAhead: Int64 = 20_000

    private static func height(at time: UnixTime) -> Int64 {
        let seconds = max(time.seconds, knownBlock.seconds) - knownBlock.seconds
        return knownBlock.height + seconds / TimeLock.secondsPerBlock
    }

    /// Whether the chain is at least this high by the clock, give or take the tolerance; `false` for other networks' chains.
    static func isReached(_ height: UInt32, on network: Network, at time: UnixTime) -> Bool {
        network == .main && Int64(height) <= self.height(at: time) + tolerance
    }

    /// The height for the lock of a new transaction: the last block's, as a chain server told it. On bitcoin 0, which
    /// locks nothing, if that is much higher than the clock says: a server that lies could lock money up for years.
    /// - Parameters:
    ///   - tip: the last block's height.
    ///   - time: when the server told it.
    static func lock(_ tip: Int, on network: Network, at time: UnixTime) -> UInt32 {
        network == .main && Int64(tip) > height(at: time) + mostAhead ? 0 : UInt32(clamping: tip)
    }
}

extension WalletChain {
    /// The height for the lock of a new transaction: see `HeightEstimate.lock`.
    var lockHeight: UInt32 { HeightEstimate.lock(height, on: network, at: time) }
}
