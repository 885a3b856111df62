/// From when on the chain is scanned for a wallet's payments.
package enum RescanStart: Sendable, Hashable {
    /// From now on: nobody has paid it yet.
    case now
    /// From the blocks of this time on.
    case time(UnixTime)

    /// From before the first payment that a wallet can have received: from a time at which the block of this height
    /// certainly did not exist yet, or from the beginning if nothing is known.
    ///
    /// Blocks come every ten minutes on average; since block 700 000 (2021-09-11, 04:14 UTC) a little faster. With nine
    /// minutes, the time is too early by some months, never too late.
    package init(birthHeight: Int?) {
        guard let birthHeight, birthHeight >= Self.anchorHeight, birthHeight < Self.lastHeight else {
            self = .time(UnixTime(seconds: 0))
            return
        }
        let seconds = Self.anchorTime + Int64(birthHeight - Self.anchorHeight) * Self.fastestSpacing
        self = .time(UnixTime(seconds: seconds))
    }

    private static let anchorHeight = 700_000
    private static let lastHeight = 10_000_000
    private static let anchorTime: Int64 = 1_631_333_672
    private static let fastestSpacing: Int64 = 540
}
