import Bitcoin

/// How many signatures an input's script takes, and whose.
struct SignatureNeed {
    /// How many signatures the way takes that is nearest to being complete.
    let needed: Int
    /// How many of them are missing.
    let missing: Int
    /// Whose signatures count; `nil`: every key's of the script.
    let keys: [ScriptKey]?

    /// - Parameters:
    ///   - signers: the keys that have signed.
    ///   - locks: those that the transaction meets; ways that need others are not open.
    ///   - preimages: those that the input has, by their hashes; ways that need others are not open.
    /// - Returns: `nil` for scripts that are not understood, or that no way is open to.
    init?(
        _ script: SpendingScript, signers: Set<[UInt8]>, locks: InputLocks?,
        preimages: [PreimageHash: [[UInt8]: [UInt8]]] = [:]
    ) {
        switch script.template {
        case .p2pk, .p2pkh: (needed, keys) = (1, nil)
        case .multisig(let multisig): (needed, keys) = (multisig.threshold, nil)
        default:
            guard let way = Self.way(script, signers, locks, preimages) else { return nil }
            (needed, missing, keys) = way
            return
        }
        missing = max(0, needed - signers.count)
    }

    /// Whether a signature of this key is one of those.
    func counts(_ publicKey: [UInt8]) -> Bool { keys?.contains { $0.isKey(publicKey) } ?? true }

    private static func way(
        _ script: SpendingScript, _ signers: Set<[UInt8]>, _ locks: InputLocks?,
        _ preimages: [PreimageHash: [[UInt8]: [UInt8]]]
    ) -> (needed: Int, missing: Int, keys: [ScriptKey])? {
        guard let paths = script.miniscript.flatMap({ SpendingPolicy($0).paths }) else { return nil }
        var hashes: Set<[UInt8]> = []
        for signer in signers { hashes.formUnion([signer, ScriptKey.key(signer).hash]) }
        let open = paths.filter { path in
            path.isOpen(locks) && path.preimages.allSatisfy { preimages[$0.function]?[$0.hash] != nil }
        }
        let ways = open.map { path in
            let missing = path.signers.reduce(0) { count, group in
                count + max(0, group.threshold - group.keys.count { hashes.contains($0.bytes) })
            }
            return (needed: path.signatureCount, missing: missing, keys: path.signers.flatMap(\.keys))
        }
        return ways.min { $0.missing < $1.missing }
    }
}
