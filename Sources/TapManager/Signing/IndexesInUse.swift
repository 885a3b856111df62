import Bitcoin

/// Up to which index an account's keys are searched, judged by the indexes in use.
///
/// Spec: BIP-44, "Address gap limit"; threats, "The PSBT lies" (ransom by lost path).
struct IndexesInUse: Sendable {
    /// How many indexes are searched after the last one in use: as many as Bitcoin Core searches; others stop after 20.
    static let gap: UInt64 = 1000

    private var indexes: Set<UInt32> = []

    /// Learns that an index is in use.
    mutating func insert(_ index: UInt32) { indexes.insert(index) }

    /// The last index that a search finds, starting from the lowest one in use and from what a stored wallet is known
    /// to use. If an index above it is also in use, someone made it up. `nil` if no index is known.
    /// - Parameter stored: the highest index that a stored wallet uses; `nil`: unknown.
    func reach(stored: UInt32?) -> UInt64? {
        var sorted = indexes.sorted()[...]
        guard let first = sorted.popFirst() ?? stored else { return nil }
        var reach = UInt64(max(first, stored ?? first)) + Self.gap
        for index in sorted {
            guard index <= reach else { break }
            reach = max(reach, UInt64(index) + Self.gap)
        }
        return reach
    }
}
