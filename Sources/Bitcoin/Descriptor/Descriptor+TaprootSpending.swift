import ByteCodec

extension SpendingInformation.Taproot {
    /// What a PSBT says about a taproot output with fixed keys.
    ///
    /// Spec: BIP-371; BIP-341 for control blocks.
    init(internalKey: DescriptorKey, _ scripts: Descriptor.TaprootScripts?) throws(DescriptorError) {
        let xOnly = try internalKey.xOnly(.only)
        let hashed = try scripts?.hashed()
        self.internalKey = xOnly
        merkleRoot = hashed?.root
        var tree: [UInt8] = []
        var derivations = KeysOfLeaves()
        try derivations.add(internalKey, leafHash: nil)
        for leaf in hashed?.leaves ?? [] {
            guard leaf.depth <= TapTree.maximumDepth else { throw .tooDeep }
            tree += [UInt8(leaf.depth), Descriptor.TaprootScripts.leafVersion]
            tree.appendSized(leaf.script)
            for key in leaf.keys { try derivations.add(key, leafHash: leaf.hash) }
        }
        self.tree = tree
        self.derivations = derivations.derivations
        leaves = try Self.leafScripts(hashed, internalKey: xOnly)
    }

    private static func leafScripts(
        _ hashed: HashedScripts?, internalKey: [UInt8]
    ) throws(DescriptorError) -> [TaprootLeafScript] {
        guard let hashed else { return [] }
        let isOdd: Bool
        do throws(KeyError) {
            isOdd = try TaprootOutputKey.tweak(internalKey: internalKey, merkleRoot: hashed.root).isOdd
        } catch { throw .key(.encoding) }
        let version = Descriptor.TaprootScripts.leafVersion
        return hashed.leaves.map { leaf in
            TaprootLeafScript(
                controlBlock: [version | (isOdd ? 1 : 0)] + internalKey + leaf.path, script: Script(leaf.script),
                leafVersion: version)
        }
    }
}

/// A script tree with its hashes.
private struct HashedScripts {
    /// A script and its position in the tree.
    struct Leaf {
        let script: [UInt8]
        let keys: [DescriptorKey]
        let hash: [UInt8]
        /// The Merkle path to the root, the lowest hash first.
        var path: [UInt8] = []

        var depth: Int { path.count / SHA256.digestLength }
    }

    let root: [UInt8]
    /// In depth-first order.
    let leaves: [Leaf]
}

extension Descriptor.TaprootScripts {
    fileprivate func hashed() throws(DescriptorError) -> HashedScripts {
        guard case .branch(let one, let other) = self else {
            let script = try script(.only)
            let hash = TaprootLeaf.hash(version: Self.leafVersion, script: script)
            return HashedScripts(root: hash, leaves: [.init(script: script, keys: keys, hash: hash)])
        }
        let left = try one.hashed()
        let right = try other.hashed()
        let leaves = left.leaves.map { $0.below(right.root) } + right.leaves.map { $0.below(left.root) }
        return HashedScripts(root: TaprootLeaf.branchHash(left.root, right.root), leaves: leaves)
    }
}

extension HashedScripts.Leaf {
    fileprivate func below(_ neighbour: [UInt8]) -> Self {
        var leaf = self
        leaf.path += neighbour
        return leaf
    }
}

/// Keys with known origins, in the order of their first leaves, each with all of its leaves.
private struct KeysOfLeaves {
    private struct Key {
        let xOnly: [UInt8]
        let origin: KeyOrigin
        var leafHashes: [[UInt8]] = []
        var leavesSeen: Set<[UInt8]> = []
    }

    private var keys: [Key] = []
    private var places: [[UInt8]: Int] = [:]

    var derivations: [TaprootKeyDerivation] {
        keys.map { TaprootKeyDerivation(xOnlyKey: $0.xOnly, leafHashes: $0.leafHashes, origin: $0.origin) }
    }

    /// Adds a key if its origin is known, or adds a leaf to an existing key.
    mutating func add(_ key: DescriptorKey, leafHash: [UInt8]?) throws(DescriptorError) {
        guard let origin = key.origin else { return }
        let xOnly = try key.xOnly(.only)
        let place = places[xOnly] ?? keys.count
        if place == keys.count {
            places[xOnly] = place
            keys.append(Key(xOnly: xOnly, origin: origin))
        }
        guard let leafHash, keys[place].leavesSeen.insert(leafHash).inserted else { return }
        keys[place].leafHashes.append(leafHash)
    }
}
