import Bitcoin

/// When blocks are to be expected: one every ten minutes since a chain server told the height. More nobody knows before.
package struct BlockClock: Sendable, Hashable {
    /// The last block's height at that time.
    package let height: Int
    /// When the server told it.
    package let time: UnixTime

    /// - Parameters:
    ///   - height: the last block's.
    ///   - time: when it was told.
    package init(height: Int, time: UnixTime) { (self.height, self.time) = (height, time) }

    /// About when a block comes, or came; `nil`: no clock has such a time.
    package func time(ofBlock block: Int) -> UnixTime? {
        let (blocks, tooMany) = Int64(block).subtractingReportingOverflow(Int64(height))
        let (seconds, tooLong) = blocks.multipliedReportingOverflow(by: TimeLock.secondsPerBlock)
        let (time, tooLate) = time.seconds.addingReportingOverflow(seconds)
        return tooMany || tooLong || tooLate ? nil : UnixTime(seconds: time)
    }
}

extension WalletChain {
    /// When blocks are to be expected, by the server's answer.
    package var clock: BlockClock { BlockClock(height: height, time: time) }

    /// When the blocks with its transactions were mined, as far as the server said.
    var minedTimes: [TransactionID: UnixTime] {
        let known = transactions.compactMap { entry in entry.time.map { (entry.id, $0) } }
        return Dictionary(known) { first, _ in first }
    }
}

extension TransactionReview {
    /// When blocks are to be expected; `nil` if no chain server is known to have been asked.
    package func clock(at now: UnixTime) -> BlockClock? {
        knownHeight.map { BlockClock(height: $0, time: knownHeightTime ?? now) }
    }
}
