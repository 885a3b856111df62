/// One of the paths through a policy that lead to spending: what all of it takes. Or, if there are too many paths to
/// list, all that have the same locks.
public struct SpendingPath<Key: Sendable>: Sendable {
    /// So many signatures of these keys, at least one.
    public struct Signers: Sendable {
        /// How many must sign.
        public let threshold: Int
        /// Who may.
        public let keys: [Key]
    }

    /// Whose signatures it takes: all of these groups. With a choice, one group of all keys, of which it takes so many at
    /// least: not every such set is enough.
    public private(set) var signers: [Signers] = []
    /// The ages that the output must have, as sequence numbers say them: of blocks, of time, or both, which no
    /// transaction can meet.
    public private(set) var older: [UInt32] = []
    /// The height and time that must have passed, as lock times say them.
    public private(set) var after: [UInt32] = []
    /// The preimages that it takes; with a choice, that it can take.
    public private(set) var preimages: [(function: PreimageHash, hash: [UInt8])] = []
    /// What signatures and preimages it takes, where there are too many paths to list each; `nil`: it is one path.
    package private(set) var choice: SpendingPolicy<Key>?

    private init() {}

    /// Everything that these locks open.
    /// - Returns: `nil` if they open nothing.
    init?(_ policy: SpendingPolicy<Key>, opening locks: PathLocks) {
        (older, after) = ([locks.older].compactMap(\.self), [locks.after].compactMap(\.self))
        let choice = policy.opened(by: locks.transaction)
        guard let fewest = choice.fewestSigners(without: { _ in false }) else { return nil }
        if fewest > 0 { signers = [Signers(threshold: fewest, keys: choice.keys)] }
        var seen: Set<[UInt8]> = []
        preimages = choice.preimages.filter { seen.insert(Array($0.function.rawValue.utf8) + $0.hash).inserted }
        self.choice = choice
    }

    /// The path of a single key.
    init(of key: Key) { signers = [Signers(threshold: 1, keys: [key])] }

    /// The sequence number that an input needs; `nil`: any. The numbers of `older` are of one kind, or no transaction can take
    /// the path.
    ///
    /// Spec: BIP-68: its type and 16 bits count.
    public var sequence: UInt32? { older.first.map(PathLocks.relative) }

    /// The lowest lock time that a transaction needs; `nil`: any.
    public var lockTime: UInt32? { after.first }

    /// The locks that it needs, and no others.
    package var locks: InputLocks { PathLocks(older: sequence, after: lockTime).transaction }

    /// The same, each time with one of them one less.
    package var shorterLocks: [InputLocks] {
        let younger = sequence.flatMap { TimeLock.count($0) > 0 ? $0 - 1 : nil }
        // One second before the first date is no height.
        let earlier = lockTime.flatMap { $0 > 0 && TimeLock.isDate($0) == TimeLock.isDate($0 - 1) ? $0 - 1 : nil }
        return [
            younger.map { PathLocks(older: $0, after: lockTime) },
            earlier.map { PathLocks(older: sequence, after: $0) },
        ].compactMap { $0?.transaction }
    }

    /// Whether it needs no lock time.
    public var isAlwaysOpen: Bool { older.isEmpty && after.isEmpty }

    /// Whether a transaction with these locks can take it; `nil`: one without any.
    public func isOpen(_ locks: InputLocks?) -> Bool {
        older.allSatisfy { locks?.meets(older: $0) ?? false } && after.allSatisfy { locks?.meets(after: $0) ?? false }
    }

    /// Both of two.
    private func and(_ other: Self) -> Self {
        var path = self
        path.signers += other.signers
        path.older = Self.merged(older + other.older, isTime: TimeLock.isTime) { $0 & TimeLock.mask }
        path.after = Self.merged(after + other.after, isTime: TimeLock.isDate) { $0 }
        path.preimages += other.preimages
        return path
    }

    /// The highest of each kind, blocks first.
    /// - Parameter length: what of a number counts.
    private static func merged(
        _ numbers: [UInt32], isTime: (UInt32) -> Bool, length: (UInt32) -> UInt32
    ) -> [UInt32] {
        [numbers.filter { !isTime($0) }, numbers.filter(isTime)].compactMap { numbers in
            numbers.max { length($0) < length($1) }
        }
    }
}

extension SpendingPolicy {
    /// The most paths that are listed: more than anybody reads.
    package static var maximumPathCount: Int { 64 }

    /// Every spending path: of alternatives, single keys come first, then the others in the order of the policy. Keys among
    /// which it does not matter who signs are on one path.
    /// - Returns: `nil` if there are more than 64.
    public var paths: [SpendingPath<Key>]? {
        SpendingPath.paths(of: self)
    }

    /// The same; if there are more than 64, one for each combination of locks, with every choice that these locks open.
    /// - Returns: `nil` if there are more than 1 024 combinations of the locks' numbers.
    public var listedPaths: [SpendingPath<Key>]? {
        paths ?? locks?.compactMap { SpendingPath(self, opening: $0) }
    }
}

extension SpendingPath {
    fileprivate static func paths(of policy: SpendingPolicy<Key>) -> [Self]? {
        var path = Self()
        switch policy {
        case .never: return []
        case .always: break
        case .key(let key): path = Self(of: key)
        case .older(let number): path.older = [number]
        case .after(let number): path.after = [number]
        case .preimage(let function, let hash): path.preimages = [(function, hash)]
        case .threshold(let threshold, let parts): return paths(threshold, of: parts)
        }
        return [path]
    }

    /// The ways to have so many of these: so many others, and for the rest any of the keys among them.
    private static func paths(_ threshold: Int, of parts: [SpendingPolicy<Key>]) -> [Self]? {
        guard threshold <= parts.count else { return [] }
        let keys = parts.compactMap { if case .key(let key) = $0 { key } else { nil } }
        var others: [[Self]] = []
        for part in parts {
            if case .key = part { continue }
            guard let paths = paths(of: part) else { return nil }
            others.append(paths)
        }
        var result: [Self] = []
        for count in max(0, threshold - keys.count)...max(0, min(threshold, others.count)) where count <= threshold {
            guard let chosen = combinations(of: others, count: count) else { return nil }
            var group = Self()
            if threshold > count { group.signers = [Signers(threshold: threshold - count, keys: keys)] }
            result += chosen.map { group.and($0) }
            guard result.count <= SpendingPolicy<Key>.maximumPathCount else { return nil }
        }
        return result
    }

    /// The ways to satisfy so many of several others, each once.
    private static func combinations(of others: [[Self]], count: Int) -> [Self]? {
        var ways: [[Self]] = [[Self()]] + Array(repeating: [], count: count)
        for (place, paths) in others.enumerated() {
            // With fewer, the rest would not be enough; there are no more so far.
            let fewest = max(1, count - (others.count - place - 1))
            for number in stride(from: min(count, place + 1), through: fewest, by: -1) {
                for way in ways[number - 1] { ways[number] += paths.map { way.and($0) } }
                guard ways[number].count <= SpendingPolicy<Key>.maximumPathCount else { return nil }
            }
        }
        return ways[count]
    }
}
