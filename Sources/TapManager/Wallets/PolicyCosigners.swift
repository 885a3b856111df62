import Bitcoin

/// Whether one person has two of the keys that must sign together. Recovery wallets may have one person's key on several
/// spending paths.
///
/// Spec: threats, "The wallet's own descriptors".
struct PolicyCosigners {
    private typealias Key = NumberedKey<DescriptorKey>

    /// The numbers, from 0 in the order of the text, of the first two such keys; `nil` if there are none.
    private(set) var shared: (Int, Int)?

    init(_ policy: SpendingPolicy<NumberedKey<DescriptorKey>>) { _ = keys(of: policy) }

    /// Every key of a policy. Two of them can be needed together if they are in different parts of which more than one is.
    private mutating func keys(of policy: SpendingPolicy<NumberedKey<DescriptorKey>>) -> [Key] {
        switch policy {
        case .key(let key): return [key]
        case .threshold(let threshold, let parts):
            var keys: [Key] = []
            for part in parts {
                let more = self.keys(of: part)
                if threshold > 1 { compare(keys, more) }
                keys += more
            }
            return keys
        case .always, .never, .older, .after, .preimage: return []
        }
    }

    private mutating func compare(_ keys: [Key], _ others: [Key]) {
        for key in keys {
            for other in others where shared == nil && SharedCosigner.places(in: [key.key, other.key]) != nil {
                shared = (key.number, other.number)
            }
        }
    }
}
