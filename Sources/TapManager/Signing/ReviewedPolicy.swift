import Bitcoin

/// The policy of some inputs of a transaction, as the user sees it: who can spend them, and on which path the transaction
/// does.
package struct ReviewedPolicy: Sendable, Hashable {
    /// One of the policy's spending paths.
    package struct Path: Sendable, Hashable {
        /// Its number, from 1.
        package let number: Int
        /// What it takes.
        package let terms: SpendingTerms
        /// Whether the transaction has the locks, and its inputs the preimages, that it takes.
        package let isOpen: Bool
        /// Whether the transaction takes it: no other is open, or only this one has all its signatures, which other checks
        /// verify.
        package let isTaken: Bool
        /// The first block in which another transaction could take it; `nil`: not known.
        package var openingHeight: Int?
    }

    /// What the inputs spend.
    package let coins: [Outpoint]
    /// In the order of the policy.
    package var paths: [Path]

    /// The policies of a transaction's inputs whose scripts are miniscript, each once, in the order of the inputs; without
    /// those of more than 64 paths, and without further ones once they name 10 000 keys. Of taproot, what the PSBT proves in
    /// the order of its fields, and never which is taken.
    static func all(in context: SigningContext) -> [ReviewedPolicy] {
        var coins: [[Path]: [Outpoint]] = [:]
        var order: [[Path]] = []
        var named = 0
        for (index, input) in context.transaction.inputs.enumerated() where named < mostNames {
            guard let script = context.script(index), let paths = paths(of: script, input: index, in: context.psbt)
            else {
                continue
            }
            if coins[paths] == nil {
                order.append(paths)
                named += paths.reduce(0) { $0 + $1.terms.nameCount }
            }
            coins[paths, default: []].append(input.outpoint)
        }
        return order.map { ReviewedPolicy(coins: coins[$0] ?? [], paths: $0) }
    }

    /// More than anybody reads: an input of a stranger can have thousands.
    private static let mostNames = 10_000

    private static func paths(of script: SpendingScript, input index: Int, in psbt: PSBT) -> [Path]? {
        let input = psbt.inputs[index]
        if let paths = input.taprootPaths(of: script) {
            let holders = input.taprootDerivations.map { (key: $0.xOnlyKey, holder: $0.fingerprint) }
            return listed(paths, taken: nil, holders: holders, input: index, in: psbt)
        }
        guard let miniscript = script.miniscript, let paths = SpendingPolicy(miniscript).paths else { return nil }
        let (locks, preimages) = (try? psbt.locks(ofInput: index), input.preimages)
        let open = paths.indices.filter { paths[$0].isOpen(locks, preimages) }
        let signers = Set(input.partialSignatures.flatMap { [$0.publicKey, ScriptKey.key($0.publicKey).hash] })
        let complete = open.filter { number in
            paths[number].signers.allSatisfy { group in
                group.keys.count { signers.contains($0.bytes) } >= group.threshold
            }
        }
        let taken = open.count == 1 ? open.first : complete.count == 1 ? complete.first : nil
        let holders = input.derivations.map { (key: $0.publicKey, holder: $0.fingerprint) }
        return listed(paths, taken: taken, holders: holders, input: index, in: psbt)
    }

    /// - Parameter taken: the index of the path that is taken.
    private static func listed(
        _ paths: [SpendingPath<ScriptKey>], taken: Int?, holders known: [(key: [UInt8], holder: Fingerprint)],
        input index: Int, in psbt: PSBT
    ) -> [Path] {
        var holders: [[UInt8]: Fingerprint] = [:]
        for (key, holder) in known {
            holders[key] = holder
            holders[ScriptKey.key(key).hash] = holder
        }
        let (locks, preimages) = (try? psbt.locks(ofInput: index), psbt.inputs[index].preimages)
        return paths.enumerated().map { number, path in
            Path(
                number: number + 1,
                terms: SpendingTerms(path) { key in holders[key.bytes].map { .holder($0) } ?? .bytes(key.bytes) },
                isOpen: path.isOpen(locks, preimages), isTaken: number == taken)
        }
    }
}

extension SpendingPath {
    /// Whether a transaction with these locks, and an input with these preimages, can take it.
    func isOpen(_ locks: InputLocks?, _ known: [PreimageHash: [[UInt8]: [UInt8]]]) -> Bool {
        isOpen(locks) && preimages.allSatisfy { known[$0.function]?[$0.hash] != nil }
    }
}
