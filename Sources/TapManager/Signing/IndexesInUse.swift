import Bitcoin

/// Up to which index the keys of each branch are searched, judged by the indexes in use.
///
/// Spec: BIP-44, "Address gap limit"; threats, "The PSBT lies" (ransom by lost path).
struct IndexesInUse<Branch: Hashable & Sendable>: Sendable {
    private var lowest: UInt32?
    private var indexes: [Branch: Set<UInt32>] = [:]

    /// How many indexes are searched after the last one in use: as many as Bitcoin Core searches; others stop after 20.
    private static var gap: UInt64 { UInt64(AddressReach.withoutHistory) }

    /// Learns that an index of a branch is in use.
    mutating func insert(_ index: UInt32, on branch: Branch) {
        lowest = min(lowest ?? index, index)
        indexes[branch, default: []].insert(index)
    }

    /// The last index of a branch that a search finds, starting from the lowest one in use on any branch and from what a
    /// stored wallet is known to use. If an index above it is also in use, someone made it up. Those of other branches
    /// lead no further: each branch is searched for itself. `nil` if no index is known.
    /// - Parameter stored: the highest index of the branch that a stored wallet uses; `nil`: unknown.
    func reach(on branch: Branch, stored: UInt32? = nil) -> UInt64? {
        guard let first = lowest ?? stored else { return nil }
        var reach = UInt64(max(first, stored ?? first)) + Self.gap
        for index in (indexes[branch] ?? []).sorted() {
            guard index <= reach else { break }
            reach = max(reach, UInt64(index) + Self.gap)
        }
        return reach
    }
}

extension CardPath {
    /// The path of its branch: all steps but the index.
    var branch: DerivationPath { account.appending(DerivationPath(subpath.steps.dropLast())) }
}
