extension Descriptor.TaprootScripts {
    /// A script of the tree as miniscript.
    private struct Leaf {
        let miniscript: Miniscript<DescriptorKey>
        /// How many branches are above it.
        let depth: Int
        /// The places of its keys in the descriptor.
        let keys: Range<Int>

        /// The expression with these places.
        var numbered: Miniscript<NumberedKey<DescriptorKey>> { miniscript.numbered(from: keys.lowerBound) }
    }

    /// The scripts from left to right.
    private var leaves: [Leaf] {
        var leaves: [Leaf] = []
        // The internal key comes first.
        appendLeaves(to: &leaves, depth: 0, firstKey: 1)
        return leaves
    }

    private func appendLeaves(to leaves: inout [Leaf], depth: Int, firstKey: Int) {
        if case .branch(let one, let other) = self {
            one.appendLeaves(to: &leaves, depth: depth + 1, firstKey: firstKey)
            other.appendLeaves(to: &leaves, depth: depth + 1, firstKey: leaves.last?.keys.upperBound ?? firstKey)
            return
        }
        guard let miniscript = leafMiniscript else { return }
        leaves.append(
            Leaf(
                miniscript: miniscript, depth: depth,
                keys: firstKey..<firstKey + miniscript.keys.count))
    }

    /// A single script; for a multisig of sorted keys, one of the same meaning and length.
    private var leafMiniscript: Miniscript<DescriptorKey>? {
        do throws(MiniscriptError) {
            switch self {
            case .pk(let key):
                return try Miniscript(.wrapped(.check, Miniscript(.pkK(key), in: .tapscript)), in: .tapscript)
            case .pkh(let key):
                return try Miniscript(.wrapped(.check, Miniscript(.pkH(key), in: .tapscript)), in: .tapscript)
            case .multi(let threshold, let keys, _): return try Miniscript(.multiA(threshold, keys), in: .tapscript)
            case .miniscript(let miniscript): return miniscript
            case .branch: return nil
            }
        } catch { return nil }
    }

    /// - Returns: `nil` if there are more than `SpendingPolicy.maximumPathCount`.
    func paths(internalKey: DescriptorKey) -> [Descriptor.Path]? {
        let most = SpendingPolicy<NumberedKey<DescriptorKey>>.maximumPathCount
        var paths: [Descriptor.Path] = []
        if !internalKey.isUnspendable { paths = [Descriptor.Path(of: NumberedKey(number: 0, key: internalKey))] }
        let leaves = leaves
        guard leaves.count <= most else { return nil }
        for leaf in leaves {
            guard let more = SpendingPolicy(leaf.numbered).paths, paths.count + more.count <= most else { return nil }
            paths += more
        }
        return paths
    }

    /// The weight that signing on one path adds to an input; `nil` if the path cannot be taken.
    ///
    /// Spec: BIP-341: what the script takes, the script, and a control block.
    func satisfactionWeight(of path: Descriptor.Path) -> Int? {
        guard let first = path.signers.first?.keys.first?.number else { return nil }
        if first == 0 { return SpendingScript.taprootKeyWeight }
        guard let leaf = leaves.first(where: { $0.keys.contains(first) }),
            let witness = leaf.numbered.estimatedWitness(of: path)
        else { return nil }
        return SpendingScript.taprootScriptWeight(
            witness, scriptLength: leaf.miniscript.resources.scriptLength, depth: leaf.depth)
    }
}

extension DescriptorKey {
    /// Whether nobody has the private key: it is `TaprootOutputKey.unspendable`, or derived from it.
    fileprivate var isUnspendable: Bool {
        switch material {
        case .xOnly(let key): key == TaprootOutputKey.unspendable
        case .publicKey(let key): key.dropFirst().prefix(32) == TaprootOutputKey.unspendable[...]
        case .extended(let key): key.publicKey.bytes.dropFirst() == TaprootOutputKey.unspendable[...]
        case .privateKey, .extendedPrivate: false
        }
    }
}
