import Bitcoin

/// How many signatures an input's script takes, and whose.
struct SignatureNeed {
    /// How many signatures the open spending path takes that is nearest to complete; of several, single keys come first, then
    /// the others in the order of the policy.
    let needed: Int
    /// How many of them are missing.
    let missing: Int
    /// What is missing, by groups of keys of which some must sign; `nil`: any key of the script will do.
    let groups: [Group]?
    /// What is enough, where there are too many open ways to list each, so that others than the nearest are as good; `nil`: the
    /// groups say it.
    let choice: SpendingPolicy<ScriptKey>?
    /// The keys on open spending paths, nearest or not, or the hashes of them; `nil`: any of the script's.
    private let open: Set<[UInt8]>?
    /// The keys whose signatures are among those, or the hashes of them; `nil`: any of the script's.
    private let counting: Set<[UInt8]>?

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
        case .p2pk, .p2pkh: (needed, groups, choice, counting, open) = (1, nil, nil, nil, nil)
        case .multisig(let multisig):
            (needed, groups, choice, counting, open) = (multisig.threshold, nil, nil, nil, nil)
        default:
            guard let nearest = Self.nearest(script, signers, locks, preimages) else { return nil }
            (needed, groups, choice) = (nearest.needed, nearest.groups, nearest.choice)
            open = Set(nearest.open.map(\.bytes))
            counting = Set((nearest.choice?.keys ?? nearest.groups.flatMap(\.keys)).map(\.bytes))
            missing = nearest.groups.reduce(0) { $0 + $1.missing }
            return
        }
        missing = max(0, needed - signers.count)
    }

    /// Whether a signature of this key is one of those.
    func counts(_ publicKey: [UInt8]) -> Bool {
        Self.contains(counting, publicKey)
    }

    /// Whether a signature of this key is one on an open spending path.
    func isOpen(to publicKey: [UInt8]) -> Bool { Self.contains(open, publicKey) }

    private static func contains(_ keys: Set<[UInt8]>?, _ publicKey: [UInt8]) -> Bool {
        guard let keys else { return true }
        return keys.contains(publicKey) || keys.contains(ScriptKey.key(publicKey).hash)
    }

    private static func nearest(
        _ script: SpendingScript, _ signers: Set<[UInt8]>, _ locks: InputLocks?,
        _ preimages: [PreimageHash: [[UInt8]: [UInt8]]]
    ) -> (needed: Int, groups: [Group], choice: SpendingPolicy<ScriptKey>?, open: [ScriptKey])? {
        guard let miniscript = script.miniscript else { return nil }
        var hashes: Set<[UInt8]> = []
        for signer in signers { hashes.formUnion([signer, ScriptKey.key(signer).hash]) }
        let open = SpendingPolicy(miniscript).opened(by: locks) { preimages[$0]?[$1] != nil }
        guard let nearest = open.nearest(signed: { hashes.contains($0.bytes) }) else { return nil }
        return (nearest.needed, nearest.groups, open.paths == nil ? open : nil, open.keys)
    }
}

extension SpendingPolicy<ScriptKey> {
    /// What the way to spend takes of which the fewest signatures are missing; `nil` if there is none without locks and
    /// preimages.
    fileprivate func nearest(
        signed: (ScriptKey) -> Bool
    ) -> (needed: Int, groups: [SignatureNeed.Group])? {
        switch self {
        case .always: return (0, [])
        case .never, .older, .after, .preimage: return nil
        case .key: return Self.threshold(1, [self]).nearest(signed: signed)
        case .threshold(let threshold, let parts):
            let keys = parts.compactMap { if case .key(let key) = $0 { key } else { nil } }
            let signedCount = keys.count(where: signed)
            var ways: [Way] = (0..<keys.count).map { Way(missing: $0 < signedCount ? 0 : 1, part: nil) }
            for part in parts {
                if case .key = part { continue }
                guard let part = part.nearest(signed: signed) else { continue }
                ways.append(Way(missing: part.groups.reduce(0) { $0 + $1.missing }, part: part))
            }
            guard ways.count >= threshold else { return nil }
            // Of equals, the first.
            let order = ways.indices.sorted { (ways[$0].missing, $0) < (ways[$1].missing, $1) }
            let taken = order.prefix(threshold).sorted().map { ways[$0] }
            let missing = taken.count { $0.part == nil && $0.missing > 0 }
            let own = missing > 0 ? [SignatureNeed.Group(missing: missing, keys: keys)] : []
            return (
                taken.reduce(0) { $0 + ($1.part?.needed ?? 1) }, own + taken.flatMap { $0.part?.groups ?? [] }
            )
        }
    }

    /// A part of a threshold: one of its keys, or what else is among them.
    private struct Way {
        let missing: Int
        let part: (needed: Int, groups: [SignatureNeed.Group])?
    }
}
