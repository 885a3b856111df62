/// The time that a script bears in a node's wallet once all blocks of a day and later have been looked through for it.
///
/// A wallet keeps one number beside a script, the time from which on it was told to look. A mark is one of the last day, so
/// that the wallet has little left to look through; which second of its day it is says from which day on the search was.
struct CoreSearchMark {
    private static let secondsOfDay: Int64 = 86_400
    /// The first block's: a wallet that was told an earlier one has not been given a mark.
    private static let firstBlock: Int64 = 1_231_006_505

    /// In days since 1970; 0 for all blocks.
    private let firstDay: Int64

    /// A search from the day of this second on, in seconds since 1970.
    init(searchFrom seconds: Int64) { firstDay = max(0, seconds) / Self.secondsOfDay }

    /// When the search begins, as the wallet is told: never 0, which it would take for another word.
    var start: Int64 { max(1, firstDay * Self.secondsOfDay) }

    /// The mark after a search; none when no block can be of that time.
    /// - Parameter now: the time of the chain's last blocks.
    func time(now: Int64) -> Int64? {
        // A block's header has 32 bits for its time.
        guard (Self.firstBlock...Int64(UInt32.max)).contains(now) else { return nil }
        let latest = now - now % Self.secondsOfDay + firstDay + 1
        return latest <= now ? latest : latest - Self.secondsOfDay
    }

    /// Whether a script's time is the mark of a search that began on this day or before.
    func isCovered(by time: Int64) -> Bool {
        let secondOfDay = time % Self.secondsOfDay
        return time >= Self.firstBlock && secondOfDay > 0 && secondOfDay - 1 <= firstDay
    }
}
