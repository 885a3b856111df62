import Bitcoin

/// Whether one person has two of the keys that a way to spend needs together. The same person's key in another way is
/// what wallets for recovery have.
///
/// Spec: threats, "The wallet's own descriptors".
struct PolicyCosigners {
    private typealias Key = NumberedKey<DescriptorKey>

    /// The numbers, from 0 in the order of the text, of the first two such keys; `nil` if there are none.
    private(set) var shared: (Int, Int)?
    /// What is known about pairs of keys, by their numbers.
    private var known: [[Int]: Bool] = [:]

    init(_ policy: SpendingPolicy<NumberedKey<DescriptorKey>>) {
        guard let paths = policy.paths else {
            findInThresholds(policy)
            return
        }
        for path in paths {
            for (place, group) in path.signers.enumerated() {
                if group.threshold > 1 { compare(group.keys, group.keys) }
                for other in path.signers[..<place] { compare(other.keys, group.keys) }
            }
        }
    }

    private mutating func compare(_ keys: [Key], _ others: [Key]) {
        for key in keys {
            for other in others where key.number != other.number && shared == nil {
                let pair = [key.number, other.number].sorted()
                let isShared = known[pair] ?? (SharedCosigner.places(in: [key.key, other.key]) != nil)
                known[pair] = isShared
                if isShared { shared = (pair[0], pair[1]) }
            }
        }
    }

    /// Of a policy with more ways than are listed, only keys of one threshold are compared.
    private mutating func findInThresholds(_ policy: SpendingPolicy<NumberedKey<DescriptorKey>>) {
        guard case .threshold(let threshold, let parts) = policy else { return }
        let keys = parts.compactMap { if case .key(let key) = $0 { key } else { nil } }
        if threshold > 1 { compare(keys, keys) }
        for part in parts { findInThresholds(part) }
    }
}
