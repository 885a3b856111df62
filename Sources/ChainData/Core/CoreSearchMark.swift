/// The timestamp of a script in a node's wallet after all blocks from some day on have been scanned for it.
///
/// A wallet keeps one number for a script: the time from which it was told to scan. A mark is a time on a recent day, so
/// that little is left to scan; the second within that day encodes the day from which the scan ran.
struct CoreSearchMark {
    private static let secondsOfDay: Int64 = 86_400
    /// The first block's time: an earlier timestamp is not a mark.
    private static let firstBlock: Int64 = 1_231_006_505

    /// In days since 1970; 0 for all blocks.
    private let firstDay: Int64

    /// A scan that starts on the day of this second, in seconds since 1970.
    init(searchFrom seconds: Int64) { firstDay = max(0, seconds) / Self.secondsOfDay }

    /// The start of the scan, as given to the wallet: never 0, which would mean something else.
    var start: Int64 { max(1, firstDay * Self.secondsOfDay) }

    /// The mark after a scan; `nil` when no block can have that time.
    /// - Parameter now: the time of the chain's last blocks.
    func time(now: Int64) -> Int64? {
        // A block's header has 32 bits for its time.
        guard (Self.firstBlock...Int64(UInt32.max)).contains(now) else { return nil }
        let latest = now - now % Self.secondsOfDay + firstDay + 1
        return latest <= now ? latest : latest - Self.secondsOfDay
    }

    /// Whether a script's timestamp is the mark of a scan that started on this day or earlier.
    func isCovered(by time: Int64) -> Bool {
        let secondOfDay = time % Self.secondsOfDay
        return time >= Self.firstBlock && secondOfDay > 0 && secondOfDay - 1 <= firstDay
    }
}
