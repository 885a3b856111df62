import Bitcoin

/// Up to which index the keys of an account are looked for, told from those that are in use.
///
/// Spec: BIP-44, "Address gap limit"; threats, "The PSBT lies" (ransom by lost path).
struct IndexesInUse: Sendable {
    /// So many indexes beyond the last one in use are looked through: what Bitcoin Core looks through, where others stop
    /// after 20.
    static let gap: UInt64 = 1000

    private var indexes: Set<UInt32> = []

    /// Learns that an index is in use.
    mutating func insert(_ index: UInt32) { indexes.insert(index) }

    /// The last index that a search finds, from the lowest one in use, with what a wallet in the store is known to use; an
    /// index above it that is in use too is one that somebody made up. `nil` when none is known.
    /// - Parameter stored: the highest index that a stored wallet uses; `nil`: none is known.
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
