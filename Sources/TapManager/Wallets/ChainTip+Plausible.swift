import Bitcoin
import ChainData

extension ChainTip {
    /// The first block's time in seconds since 1970. Spec: Bitcoin Core, `CMainParams`.
    private static let firstBlock: Int64 = 1_231_006_505
    /// So far, blocks came a little faster than every 600 seconds, but never this fast.
    private static let leastSecondsPerBlock: Int64 = 450

    /// How far a miner's clock may be ahead. Spec: Bitcoin Core, `MAX_FUTURE_BLOCK_TIME`.
    private static let mostAhead: Int64 = 7_200

    /// Whether a block can have been mined at a time, judging by the current time.
    static func isPlausible(_ time: UnixTime, at now: UnixTime) -> Bool {
        (firstBlock...max(firstBlock, now.seconds + mostAhead)).contains(time.seconds)
    }

    /// Refuses a height that bitcoin's chain cannot have reached: a transaction locked to it could not be sent.
    /// - Throws: `.liar`.
    package func requirePlausible(on network: Network, at time: UnixTime) throws(ChainError) {
        guard network == .main else { return }
        guard Int64(height) <= max(0, time.seconds - Self.firstBlock) / Self.leastSecondsPerBlock else {
            throw .liar("the last block cannot be number \(height) yet")
        }
    }
}
