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

extension ChainSource {
    /// The last block for an answer that names blocks: the one that was the last before or, if one of them comes after it, the
    /// one that is the last now. Blocks arrive while a server is asked.
    /// - Parameters:
    ///   - heights: those of the blocks.
    ///   - tip: what the server said before.
    /// - Throws: `.liar` if one of them still comes after the last one, and for an implausible one; `.notReady` if only by
    ///   as much as servers behind one address differ while a block arrives.
    func lastBlock(
        including heights: some Sequence<Int>, after tip: ChainTip, at time: UnixTime
    ) async throws(ChainError) -> ChainTip {
        guard let highest = heights.max(), highest > tip.height else { return tip }
        let now = try await self.tip()
        try now.requirePlausible(on: network, at: time)
        guard highest <= now.height else {
            if highest <= now.height + 2 {
                throw .notReady(ServerText("it names block \(highest), and \(now.height) as the last one"))
            }
            throw .liar("a transaction is in a block that comes after the last one")
        }
        return now
    }
}
