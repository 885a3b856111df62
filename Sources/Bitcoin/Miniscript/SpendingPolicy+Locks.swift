/// What is left of a policy when locks are open, and which locks there are to open.
extension SpendingPolicy {
    /// What it takes beside the locks that an input has: each that it meets counts as nothing to take, every other as one
    /// that cannot be met. `.never`: they do not open it.
    /// - Parameters:
    ///   - locks: `nil`: those of an input without any.
    ///   - knows: whether the preimage of a hash is known, which then counts alike; `nil`: they remain.
    package func opened(by locks: InputLocks?, knows: ((PreimageHash, [UInt8]) -> Bool)? = nil) -> Self {
        switch self {
        case .always, .never, .key: self
        case .preimage(let function, let hash): knows.map { $0(function, hash) ? .always : .never } ?? self
        case .older(let number): locks?.meets(older: number) ?? false ? .always : .never
        case .after(let number): locks?.meets(after: number) ?? false ? .always : .never
        case .threshold(let threshold, let parts):
            .some(threshold, of: parts.map { $0.opened(by: locks, knows: knows) })
        }
    }

    /// Whether there is no way to spend it.
    package var isNever: Bool { if case .never = self { true } else { false } }

    /// Whether these are enough. A lock counts as closed; see `opened(by:)`.
    /// - Parameters:
    ///   - signed: whether a key has signed.
    ///   - knows: whether the preimage of a hash is known.
    package func isMet(signed: (Key) -> Bool, knows: (PreimageHash, [UInt8]) -> Bool) -> Bool {
        switch self {
        case .always: true
        case .never, .older, .after: false
        case .key(let key): signed(key)
        case .preimage(let function, let hash): knows(function, hash)
        case .threshold(let threshold, let parts):
            parts.count { $0.isMet(signed: signed, knows: knows) } >= threshold
        }
    }

    /// Its keys, in the order of the policy.
    package var keys: [Key] {
        switch self {
        case .always, .never, .older, .after, .preimage: []
        case .key(let key): [key]
        case .threshold(_, let parts): parts.flatMap(\.keys)
        }
    }

    /// The hashes whose preimages it can take, in the order of the policy.
    var preimages: [(function: PreimageHash, hash: [UInt8])] {
        switch self {
        case .always, .never, .older, .after, .key: []
        case .preimage(let function, let hash): [(function, hash)]
        case .threshold(_, let parts): parts.flatMap(\.preimages)
        }
    }

    /// The same with other keys.
    package func mapKeys<Other>(_ transform: (Key) -> Other) -> SpendingPolicy<Other> {
        switch self {
        case .always: .always
        case .never: .never
        case .key(let key): .key(transform(key))
        case .older(let number): .older(number)
        case .after(let number): .after(number)
        case .preimage(let function, let hash): .preimage(function, hash)
        case .threshold(let threshold, let parts): .threshold(threshold, parts.map { $0.mapKeys(transform) })
        }
    }

    /// Every combination of locks with which there is a way to spend, no longer than that way demands: without locks first,
    /// then the shorter before the longer. Linear in the policy's size for each combination of two numbers.
    /// - Returns: `nil` if there are more than 1 024 combinations of the numbers, and of none.
    var locks: [PathLocks]? {
        let (older, after) = lockNumbers
        guard older.count * after.count <= Self.maximumLockCount else { return nil }
        return older.flatMap { older in after.map { PathLocks(older: older, after: $0) } }.sorted()
            .filter { locks in uses(locks, as: locks.transaction)?.contains(locks) ?? false }
    }

    /// How many combinations of the numbers of its locks there are, and of none.
    package var lockCount: Int {
        let (older, after) = lockNumbers
        return older.count * after.count
    }

    /// The most combinations of numbers that are tried.
    package static var maximumLockCount: Int { 1_024 }

    /// The numbers of its locks, and none.
    private var lockNumbers: (older: Set<UInt32?>, after: Set<UInt32?>) {
        var (older, after): (Set<UInt32?>, Set<UInt32?>) = ([nil], [nil])
        collect(&older, &after)
        return (older, after)
    }

    /// The numbers of its locks; of relative ones, as far as they count.
    private func collect(_ older: inout Set<UInt32?>, _ after: inout Set<UInt32?>) {
        switch self {
        case .always, .never, .key, .preimage: break
        case .older(let number): older.insert(PathLocks.relative(number))
        case .after(let number): after.insert(number)
        case .threshold(_, let parts): for part in parts { part.collect(&older, &after) }
        }
    }

    /// Which of two locks the ways have that these locks open; `nil`: there is none.
    private func uses(_ locks: PathLocks, as transaction: InputLocks) -> PathLocks.Use? {
        switch self {
        case .never: return nil
        case .always, .key, .preimage: return PathLocks.Use()
        case .older(let number):
            guard transaction.meets(older: number) else { return nil }
            return PathLocks.Use(older: PathLocks.relative(number) == locks.older)
        case .after(let number):
            guard transaction.meets(after: number) else { return nil }
            return PathLocks.Use(after: number == locks.after)
        case .threshold(let threshold, let parts):
            let ways = parts.compactMap { $0.uses(locks, as: transaction) }
            guard ways.count >= threshold else { return nil }
            let (older, after) = (ways.count(where: \.older), ways.count(where: \.after))
            let isOneOfEach = older > 0 && after > 0 && (older + after > 2 || !ways.contains { $0.older && $0.after })
            return PathLocks.Use(
                older: older > 0, after: after > 0,
                both: ways.contains(where: \.both) || (threshold > 1 && isOneOfEach))
        }
    }
}
