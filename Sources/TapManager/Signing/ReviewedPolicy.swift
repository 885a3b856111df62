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
        /// Whether it is the open path that is nearest to complete: the transaction takes it.
        package let isTaken: Bool
        /// The first block in which another transaction could take it; `nil`: not known.
        package var openingHeight: Int?
    }

    /// What the inputs spend.
    package let coins: [Outpoint]
    /// In the order of the policy.
    package var paths: [Path]

    /// The policies of a transaction's inputs whose scripts are miniscript, each once, in the order of the inputs; without
    /// those of more than 64 paths.
    static func all(in context: SigningContext) -> [ReviewedPolicy] {
        var coins: [[Path]: [Outpoint]] = [:]
        var order: [[Path]] = []
        for (index, input) in context.transaction.inputs.enumerated() {
            guard let script = context.script(index), let paths = paths(of: script, input: index, in: context.psbt)
            else {
                continue
            }
            if coins[paths] == nil { order.append(paths) }
            coins[paths, default: []].append(input.outpoint)
        }
        return order.map { ReviewedPolicy(coins: coins[$0] ?? [], paths: $0) }
    }

    private static func paths(of script: SpendingScript, input index: Int, in psbt: PSBT) -> [Path]? {
        guard let miniscript = script.miniscript, let paths = SpendingPolicy(miniscript).paths else { return nil }
        let input = psbt.inputs[index]
        var holders: [[UInt8]: Fingerprint] = [:]
        for derivation in input.derivations {
            holders[derivation.publicKey] = derivation.fingerprint
            holders[ScriptKey.key(derivation.publicKey).hash] = derivation.fingerprint
        }
        let (locks, preimages) = (try? psbt.locks(ofInput: index), input.preimages)
        let need = SignatureNeed(
            script, signers: Set(input.partialSignatures.map(\.publicKey)), locks: locks, preimages: preimages)
        return paths.enumerated().map { number, path in
            Path(
                number: number + 1,
                terms: SpendingTerms(path) { key in holders[key.bytes].map { .holder($0) } ?? .bytes(key.bytes) },
                isOpen: path.isOpen(locks, preimages), isTaken: number == need?.path)
        }
    }
}

extension SpendingPath {
    /// Whether a transaction with these locks, and an input with these preimages, can take it.
    func isOpen(_ locks: InputLocks?, _ known: [PreimageHash: [[UInt8]: [UInt8]]]) -> Bool {
        isOpen(locks) && preimages.allSatisfy { known[$0.function]?[$0.hash] != nil }
    }
}
