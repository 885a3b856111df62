import Bitcoin

/// When the locks of a spending path open to a coin, as far as anybody knows before.
package struct LockOpening: Sendable, Hashable {
    /// The first block that may have a transaction which takes the path; `nil` if a lock is one of time.
    package let block: Int?
    /// About when that is; `nil`: it is not known, or no clock has such a time.
    package let time: UnixTime?

    /// Whether the next block may have such a transaction; of a lock of time an estimate, which nodes judge.
    /// - Parameters:
    ///   - height: the last block's; `nil`: not known.
    ///   - now: the current time, by which locks of time are judged.
    package func isOpen(after height: Int?, at now: UnixTime) -> Bool {
        if let block { return height.map { block <= $0 + 1 } ?? false }
        return time.map { $0 <= now } ?? false
    }

    /// When the last of several opens; `nil`: there is none.
    static func last(of openings: [LockOpening]) -> LockOpening? {
        guard !openings.isEmpty else { return nil }
        let (blocks, times) = (openings.compactMap(\.block), openings.compactMap(\.time))
        return LockOpening(
            block: blocks.count == openings.count ? blocks.max() : nil,
            time: times.count == openings.count ? times.max() : nil)
    }

    /// Whether one comes before another; those of which it is not known come last.
    package static func isEarlier(_ left: LockOpening?, _ right: LockOpening?) -> Bool {
        func rank(_ opening: LockOpening?) -> (Int64, Int) { (opening?.time?.seconds ?? .max, opening?.block ?? .max) }
        return rank(left) < rank(right)
    }
}

extension SpendingTerms {
    /// By how many seconds the time that locks are compared with, the median of the last eleven blocks' times, is behind.
    /// Spec: BIP-113.
    private static let medianLag: Int64 = 3_600

    /// When the locks open to a coin; `nil` if there is none, or if one counts from when an unconfirmed coin is confirmed.
    /// - Parameters:
    ///   - confirmed: the height of the block with the coin; `nil`: it is unconfirmed.
    ///   - mined: when that block was mined, as a server says; `nil`: not known, so it is estimated.
    ///   - clock: when blocks are to be expected; `nil`: not known.
    package func opening(confirmed: Int?, mined: UnixTime? = nil, by clock: BlockClock?) -> LockOpening? {
        guard isLocked, let block = openingHeight(confirmed: confirmed) else { return nil }
        guard !isOpenedByBlocks else { return LockOpening(block: block, time: clock?.time(ofBlock: block)) }
        let dates = after.filter(TimeLock.isDate).map { UnixTime(seconds: Int64($0) + Self.medianLag) }
        // The coin's age counts from the median before its block, so that it is behind at the beginning, too.
        let ages = older.filter(TimeLock.isTime).map { lock in
            (mined ?? confirmed.flatMap { clock?.time(ofBlock: $0) }).flatMap {
                $0.adding(seconds: Int64(TimeLock.count(lock)) * TimeLock.secondsPerUnit)
            }
        }
        let times = dates + ages + (block > 0 ? [clock?.time(ofBlock: block)] : [])
        let known = times.compactMap(\.self)
        return LockOpening(block: nil, time: known.count == times.count ? known.max() : nil)
    }
}

extension UnixTime {
    /// A later time; `nil`: no clock has such a time.
    fileprivate func adding(seconds count: Int64) -> UnixTime? {
        let (sum, overflows) = seconds.addingReportingOverflow(count)
        return overflows ? nil : UnixTime(seconds: sum)
    }
}
