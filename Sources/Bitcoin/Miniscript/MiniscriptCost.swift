/// What one way through a script takes at most.
struct MiniscriptCost: MiniscriptSum, Hashable, Sendable {
    /// Operations that count because of what is executed: keys of `multi`.
    var operations = 0
    /// Items of the witness.
    var items = 0
    /// Bytes of those items, each with its length.
    var bytes = 0

    static let nothing = Self()
    /// An empty item: 0, a missing signature, the other branch.
    static let empty = Self(items: 1, bytes: 1)
    /// The item 1: the first branch.
    static let one = Self(items: 1, bytes: 2)
    static let preimage = Self(items: 1, bytes: 1 + PreimageHash.preimageLength)

    static func signature(_ context: MiniscriptContext) -> Self {
        Self(items: 1, bytes: 1 + context.largestSignatureLength)
    }

    static func key(_ context: MiniscriptContext) -> Self { Self(items: 1, bytes: 1 + context.keyLength) }

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
