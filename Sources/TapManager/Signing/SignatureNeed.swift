import Bitcoin

/// How many signatures an input's script takes, and whose.
struct SignatureNeed {
    /// How many signatures the open spending path takes that is nearest to complete.
    let needed: Int
    /// How many of them are missing.
    let missing: Int
    /// What is missing, by groups of keys of which some must sign; `nil`: any key of the script will do.
    let groups: [Group]?

    /// Keys of which some have to sign still.
    struct Group: Hashable, Sendable {
        /// How many.
        let missing: Int
        /// All of the group's, signed or not.
        let keys: [ScriptKey]
    }

    /// - Parameters:
    ///   - signers: the keys that have signed.
    ///   - locks: those that the transaction meets; spending paths that need others are not open.
    ///   - preimages: those that the input has, by their hashes; spending paths that need others are not open.
    /// - Returns: `nil` for scripts that are not understood, or have no open spending path.
    init?(
        _ script: SpendingScript, signers: Set<[UInt8]>, locks: InputLocks?,
        preimages: [PreimageHash: [[UInt8]: [UInt8]]] = [:]
    ) {
        switch script.template {
        case .p2pk, .p2pkh: (needed, groups) = (1, nil)
        case .multisig(let multisig): (needed, groups) = (multisig.threshold, nil)
        default:
            guard let nearest = Self.nearest(script, signers, locks, preimages) else { return nil }
            (needed, groups) = nearest
            missing = nearest.groups.reduce(0) { $0 + $1.missing }
            return
        }
        missing = max(0, needed - signers.count)
    }

    /// Whether a signature of this key is one of those.
    func counts(_ publicKey: [UInt8]) -> Bool {
        groups?.contains { group in group.keys.contains { $0.isKey(publicKey) } } ?? true
    }

    private static func nearest(
        _ script: SpendingScript, _ signers: Set<[UInt8]>, _ locks: InputLocks?,
        _ preimages: [PreimageHash: [[UInt8]: [UInt8]]]
    ) -> (needed: Int, groups: [Group])? {
        guard let paths = script.miniscript.flatMap({ SpendingPolicy($0).paths }) else { return nil }
        var hashes: Set<[UInt8]> = []
        for signer in signers { hashes.formUnion([signer, ScriptKey.key(signer).hash]) }
        let open = paths.filter { $0.isOpen(locks, preimages) }
        let needs = open.map { path in
            let groups = path.signers.map { group in
                Group(
                    missing: max(0, group.threshold - group.keys.count { hashes.contains($0.bytes) }), keys: group.keys)
            }
            return (needed: path.signatureCount, groups: groups.filter { $0.missing > 0 })
        }
        func missing(_ groups: [Group]) -> Int { groups.reduce(0) { $0 + $1.missing } }
        return needs.min { missing($0.groups) < missing($1.groups) }
    }
}
