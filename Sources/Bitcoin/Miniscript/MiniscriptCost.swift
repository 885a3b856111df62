/// What one way through a script takes at most.
struct MiniscriptCost: Hashable, Sendable {
    /// Operations that count because of what is executed: keys of `multi`.
    var operations = 0
    /// Items of the witness.
    var items = 0
    /// Bytes of those items, each with its length.
    var bytes = 0

    /// The longest ECDSA signature with its hash type, with its length: high R, low S.
    ///
    /// Spec: BIP-66; BIP-146 for low S.
    private static let signatureBytes = 73
    private static let keyBytes = 1 + PublicKey.length

    static let nothing = Self()
    /// An empty item: 0, a missing signature, the other branch.
    static let empty = Self(items: 1, bytes: 1)
    /// The item 1: the first branch.
    static let one = Self(items: 1, bytes: 2)
    static let signature = Self(items: 1, bytes: signatureBytes)
    static let key = Self(items: 1, bytes: keyBytes)
    static let preimage = Self(items: 1, bytes: 1 + PreimageHash.preimageLength)

    static func + (one: Self, other: Self) -> Self {
        Self(
            operations: one.operations + other.operations, items: one.items + other.items,
            bytes: one.bytes + other.bytes)
    }

    static func * (count: Int, cost: Self) -> Self {
        Self(operations: count * cost.operations, items: count * cost.items, bytes: count * cost.bytes)
    }

    /// The most that either takes of each.
    func most(_ other: Self) -> Self {
        Self(
            operations: max(operations, other.operations), items: max(items, other.items),
            bytes: max(bytes, other.bytes))
    }
}

extension MiniscriptCost? {
    /// Both; `nil` if one of them is impossible.
    static func + (one: Self, other: Self) -> Self {
        guard let one, let other else { return nil }
        return one + other
    }

    /// Either; `nil` if both are impossible.
    static func | (one: Self, other: Self) -> Self {
        guard let one, let other else { return one ?? other }
        return one.most(other)
    }
}
