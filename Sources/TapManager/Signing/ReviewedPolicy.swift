import Bitcoin

/// The policy of some inputs of a transaction, as the user sees it: who can spend them, and on which path the transaction
/// does.
package struct ReviewedPolicy: Sendable, Hashable {
    /// One of the policy's spending paths.
    package struct Path: Sendable, Hashable {
        /// Its number, from 1.
        package let number: Int
        /// What it takes.
        package var terms: SpendingTerms
        /// Whether the transaction has the locks, and its inputs the preimages, that it takes.
        package let isOpen: Bool
        /// Whether the transaction takes it: no other is open, or only this one has all its signatures, which other checks
        /// verify.
        package let isTaken: Bool
        /// Whether the transaction has at least one of the path's locks, no longer than the path demands, as if it were made for
        /// it.
        package let hasLock: Bool
        /// When another transaction could take it; `nil`: not known.
        package var opening: LockOpening?
    }

    /// What one of the inputs spends.
    package struct Coin: Sendable, Hashable {
        package let outpoint: Outpoint
        /// The last steps of the paths that the PSBT claims for keys of its script, as places to look at, that of most keys first.
        let indexes: [UInt32]

        /// A wallet's keys share an index; a single key may have another one.
        private static let mostIndexes = 2

        init(_ outpoint: Outpoint, _ input: PSBT.Input, _ script: SpendingScript) {
            self.outpoint = outpoint
            let keys = Set(script.miniscript?.keys.map(\.bytes) ?? [])
            let own = input.derivations.filter {
                keys.contains($0.publicKey) || keys.contains(ScriptKey.key($0.publicKey).hash)
            }
            let counts = Dictionary(own.compactMap(\.path.steps.last).map { ($0.index, 1) }, uniquingKeysWith: +)
            indexes = counts.sorted { ($1.value, $0.key) < ($0.value, $1.key) }.prefix(Self.mostIndexes).map(\.key)
        }
    }

    /// What the inputs spend.
    package var coins: [Coin]
    /// Whether there may be other paths: of taproot, a PSBT shows what it wants.
    package let isPartial: Bool
    /// In the order of the policy.
    package var paths: [Path]

    /// Whether its paths take as many signatures of as many keys, the same locks and the same preimages as these, in the
    /// same choices.
    func hasShape(of terms: [SpendingTerms]) -> Bool {
        paths.count == terms.count
            && zip(paths, terms).allSatisfy { path, terms in
                path.terms.older == terms.older && path.terms.after == terms.after
                    && path.terms.preimages == terms.preimages
                    && path.terms.groups.map(\.threshold) == terms.groups.map(\.threshold)
                    && path.terms.groups.map(\.keys.count) == terms.groups.map(\.keys.count)
                    && path.terms.choice?.mapKeys { _ in 0 } == terms.choice?.mapKeys { _ in 0 }
            }
    }

    /// The policies of a transaction's inputs whose scripts are miniscript, each once: those of the signer's inputs, then
    /// the others, both by the amounts of the inputs, the largest first. Of taproot, what the PSBT proves in the order of its
    /// fields, and never which is taken.
    /// - Returns: also how many inputs are not listed: the policy has too many paths, the listed ones name 10 000 keys, the
    ///   paths of the inputs before it name three million, or a taproot field is not a policy of the input.
    static func all(in context: SigningContext) -> (listed: [ReviewedPolicy], unlisted: Int) {
        var coins: [Shown: [Coin]] = [:]
        var order: [Shown] = []
        var (named, looked, unlisted) = (0, 0, 0)
        let values = context.coins.map { (try? $0.get().value) ?? 0 }
        // Equal amounts keep the order of the inputs.
        let indexes = values.indices.sorted { (values[$1], $0) < (values[$0], $1) }
        let own = indexes.filter { context.claims[$0].contains { $0.proven != nil } }
        let ownIndexes = Set(own)
        // Many inputs can have one script.
        var known: [Script: [SpendingPath<ScriptKey>]?] = [:]
        for index in own + indexes.filter({ !ownIndexes.contains($0) }) {
            guard let script = context.script(index) else { continue }
            let hasPolicy = script.miniscript != nil || !context.psbt.inputs[index].taprootLeafScripts.isEmpty
            guard hasPolicy else { continue }
            guard named < mostNames, looked < mostLooks,
                let paths = paths(of: script, input: index, in: context.psbt, &known, &looked)
            else {
                unlisted += 1
                continue
            }
            let shown = Shown(paths: paths, isPartial: script.miniscript == nil, isOwn: ownIndexes.contains(index))
            if coins[shown] == nil {
                let names = max(paths.count, paths.reduce(0) { $0 + $1.terms.nameCount })
                guard order.isEmpty || named + names <= mostNames else {
                    unlisted += 1
                    continue
                }
                order.append(shown)
                named += names
            }
            let outpoint = context.transaction.inputs[index].outpoint
            coins[shown, default: []].append(Coin(outpoint, context.psbt.inputs[index], script))
        }
        let listed = order.map { ReviewedPolicy(coins: coins[$0] ?? [], isPartial: $0.isPartial, paths: $0.paths) }
        return (listed, unlisted)
    }

    /// What several inputs have in common: names are only a PSBT's word, so that a stranger's can be the signer's.
    private struct Shown: Hashable {
        let paths: [Path]
        let isPartial: Bool
        let isOwn: Bool
    }

    /// More than anybody reads: an input of a stranger can have thousands.
    private static let mostNames = 10_000
    /// The keys and hashes on the paths of all inputs together, and those that are looked at to find the paths: enough for
    /// any wallet's, whose inputs have a few each.
    private static let mostLooks = 3_000_000

    private static func paths(
        of script: SpendingScript, input index: Int, in psbt: PSBT, _ known: inout [Script: [SpendingPath<ScriptKey>]?],
        _ looked: inout Int
    ) -> [Path]? {
        let input = psbt.inputs[index]
        let (locks, preimages) = (try? psbt.locks(ofInput: index), input.preimages)
        if let paths = input.taprootPaths(of: script) {
            looked += paths.nameCount
            let holders = input.taprootDerivations.map { (key: $0.xOnlyKey, holder: $0.fingerprint) }
            return listed(paths, taken: nil, holders: holders, locks, preimages)
        }
        guard script.form == .p2wsh || script.form == .p2shP2WSH else { return nil }
        let found: [SpendingPath<ScriptKey>]?
        if let before = known[script.scriptCode] {
            found = before
        } else {
            let policy = script.miniscript.map { SpendingPolicy($0) }
            found = policy?.paths ?? policy?.listedPaths
            // Of many paths, every combination of locks is tried, each with all that the policy names.
            if let policy, found?.first?.choice != nil || found == nil {
                looked += min(policy.lockCount, SpendingPolicy<ScriptKey>.maximumLockCount) * max(1, policy.keys.count)
            }
            known[script.scriptCode] = .some(found)
        }
        guard let paths = found else { return nil }
        looked += paths.nameCount
        guard looked <= mostLooks else { return nil }
        let open = paths.indices.filter { paths[$0].isOpen(locks, preimages) }
        let signers = Set(input.partialSignatures.flatMap { [$0.publicKey, ScriptKey.key($0.publicKey).hash] })
        let complete = open.filter { paths[$0].isComplete(signers, preimages) }
        let taken = open.count == 1 ? open.first : complete.count == 1 ? complete.first : nil
        let holders = input.derivations.map { (key: $0.publicKey, holder: $0.fingerprint) }
        return listed(paths, taken: taken, holders: holders, locks, preimages)
    }

    /// - Parameter taken: the index of the path that is taken.
    private static func listed(
        _ paths: [SpendingPath<ScriptKey>], taken: Int?, holders known: [(key: [UInt8], holder: Fingerprint)],
        _ locks: InputLocks?, _ preimages: [PreimageHash: [[UInt8]: [UInt8]]]
    ) -> [Path] {
        var holders: [[UInt8]: Fingerprint] = [:]
        for (key, holder) in known {
            holders[key] = holder
            holders[ScriptKey.key(key).hash] = holder
        }
        return paths.enumerated().map { number, path in
            Path(
                number: number + 1,
                terms: SpendingTerms(path) { key in holders[key.bytes].map { .holder($0) } ?? .bytes(key.bytes) },
                isOpen: path.isOpen(locks, preimages), isTaken: number == taken,
                hasLock: path.isOpen(locks, preimages) && locks.map(path.hasLock) ?? false)
        }
    }
}

extension [SpendingPath<ScriptKey>] {
    /// How many keys and hashes the paths name, at least one each.
    fileprivate var nameCount: Int {
        reduce(0) { $0 + Swift.max(1, $1.signers.reduce($1.preimages.count) { $0 + $1.keys.count }) }
    }
}

extension SpendingPath {
    /// Whether a transaction with these locks, and an input with these preimages, can take it.
    func isOpen(_ locks: InputLocks?, _ known: [PreimageHash: [[UInt8]: [UInt8]]]) -> Bool {
        let knows = { known[$0]?[$1] != nil }
        guard let choice else { return isOpen(locks) && preimages.allSatisfy(knows) }
        return isOpen(locks) && choice.isMet(signed: { _ in true }, knows: knows)
    }

    /// Whether a transaction has one of its locks, no longer than the path demands.
    fileprivate func hasLock(_ locks: InputLocks) -> Bool {
        older.contains(where: locks.isExactly(older:)) || after.contains(where: locks.isExactly(after:))
    }
}

extension SpendingPath<ScriptKey> {
    /// Whether these have signed, by their keys or the hashes of them, and they and the preimages are enough.
    fileprivate func isComplete(_ signers: Set<[UInt8]>, _ known: [PreimageHash: [[UInt8]: [UInt8]]]) -> Bool {
        if let choice {
            return choice.isMet(signed: { signers.contains($0.bytes) }, knows: { known[$0]?[$1] != nil })
        }
        return self.signers.allSatisfy { group in group.keys.count { signers.contains($0.bytes) } >= group.threshold }
    }
}
