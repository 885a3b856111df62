extension Miniscript {
    /// The smallest witness that nobody else can alter.
    /// - Parameter assets: signatures, preimages and locks at hand.
    /// - Returns: the items of the witness without the script, bottom first; `nil` if what is at hand is not enough, or
    ///   others could alter it.
    ///
    /// Spec: BIP-379, "Satisfactions and malleability".
    public func witness(with assets: some SpendingAssets<Key>) -> [[UInt8]]? {
        let satisfaction = ways(assets).satisfied
        return satisfaction.isPossible && satisfaction.hasSignature && !satisfaction.isMalleable
            ? satisfaction.stack : nil
    }

    private typealias Ways = (dissatisfied: Satisfaction, satisfied: Satisfaction)

    private func ways(_ assets: some SpendingAssets<Key>) -> Ways {
        switch fragment {
        case .zero: (.nothing, .impossible)
        case .one: (.impossible, .nothing)
        case .pkK(let key): (.empty, Satisfaction(signature: assets.signature(of: key)))
        case .pkH(let key): keyHash(key, assets)
        case .older(let number): (.impossible, assets.isOpen(olderThan: number) ? .nothing : .impossible)
        case .after(let number): (.impossible, assets.isOpen(after: number) ? .nothing : .impossible)
        case .hash(let function, let hash):
            (
                // Any other 32 bytes would do as well.
                Satisfaction(item: [UInt8](repeating: 0, count: PreimageHash.preimageLength)).malleable,
                assets.preimage(of: hash, function).map { Satisfaction(item: $0) } ?? .impossible
            )
        case .multi(let threshold, let keys): multi(threshold, keys, assets)
        case .multiA(let threshold, let keys): multiA(threshold, keys, assets)
        case .threshold(let threshold, let parts): Self.threshold(threshold, parts.map { $0.ways(assets) })
        case .wrapped(let wrapper, let x): Self.wrapped(wrapper, x.ways(assets))
        case .andOr(let x, let y, let z): Self.andOr(x.ways(assets), y.ways(assets), z.ways(assets))
        case .andV(let x, let y): Self.andV(x.ways(assets), y.ways(assets))
        case .andB(let x, let y): Self.andB(x.ways(assets), y.ways(assets))
        case .orB(let x, let y): Self.orB(x.ways(assets), y.ways(assets))
        case .orC(let x, let y):
            (.impossible, Self.orElse(x.ways(assets), y.ways(assets)))
        case .orD(let x, let y): Self.orD(x.ways(assets), y.ways(assets))
        case .orI(let x, let y): Self.orI(x.ways(assets), y.ways(assets))
        }
    }

    private func keyHash(_ key: Key, _ assets: some SpendingAssets<Key>) -> Ways {
        guard let publicKey = assets.publicKey(of: key) else { return (.impossible, Satisfaction(signature: nil)) }
        let item = Satisfaction(item: publicKey)
        return (.empty + item, Satisfaction(signature: assets.signature(of: key)) + item)
    }

    private func multi(_ threshold: Int, _ keys: [Key], _ assets: some SpendingAssets<Key>) -> Ways {
        // The best way to have so many signatures of the keys so far. First the item that OP_CHECKMULTISIG takes and does
        // not use (BIP-147).
        var best = [Satisfaction.empty]
        for key in keys {
            let signature = Satisfaction(signature: assets.signature(of: key))
            best = Self.longer(best, Satisfaction.nothing, signature, upTo: threshold)
        }
        let dissatisfied = (0..<threshold).reduce(Satisfaction.empty) { result, _ in result + .empty }
        return (dissatisfied, best[threshold])
    }

    /// The smallest signatures, and an empty item for every other key; the first key's on top.
    private func multiA(_ threshold: Int, _ keys: [Key], _ assets: some SpendingAssets<Key>) -> Ways {
        let signatures = keys.map { assets.signature(of: $0) }
        let available = keys.indices.filter { signatures[$0] != nil }
            .sorted { (signatures[$0]?.count ?? 0, $0) < (signatures[$1]?.count ?? 0, $1) }
        let chosen = Set(available.prefix(threshold))
        let dissatisfied = keys.reduce(Satisfaction.nothing) { result, _ in result + .empty }
        guard chosen.count == threshold else { return (dissatisfied, Satisfaction(signature: nil)) }
        let satisfied = keys.indices.reversed().reduce(Satisfaction.nothing) { result, place in
            result + (chosen.contains(place) ? Satisfaction(signature: signatures[place]) : .empty)
        }
        return (dissatisfied, satisfied)
    }

    /// - Parameters:
    ///   - best: at each index, the best way to satisfy so many parts of those so far.
    ///   - most: the most parts that need to be known.
    private static func longer(
        _ best: [Satisfaction], _ dissatisfied: Satisfaction, _ satisfied: Satisfaction, upTo most: Int
    ) -> [Satisfaction] {
        var next = [best[0] + dissatisfied]
        for count in best.indices.dropFirst() {
            next.append((best[count] + dissatisfied) | (best[count - 1] + satisfied))
        }
        if best.count <= most { next.append(best[best.count - 1] + satisfied) }
        return next
    }

    private static func threshold(_ threshold: Int, _ parts: [Ways]) -> Ways {
        let most = parts.canAllBeDissatisfied ? max(threshold, parts.count { $0.satisfied.isFree }) : parts.count
        var best = [Satisfaction.nothing]
        for part in parts.reversed() { best = longer(best, part.dissatisfied, part.satisfied, upTo: most) }
        // Another number of them dissatisfies it, too: whoever has those signatures could choose.
        var dissatisfied = Satisfaction.impossible
        for (count, way) in best.enumerated() where count != threshold {
            dissatisfied = dissatisfied | (count == 0 ? way : way.malleable)
        }
        return (dissatisfied, best[threshold])
    }

    private static func wrapped(_ wrapper: MiniscriptWrapper, _ x: Ways) -> Ways {
        switch wrapper {
        case .alternateStack, .swap, .check, .zeroNotEqual: x
        case .verify: (.impossible, x.satisfied)
        case .duplicateIf: (.empty, x.satisfied + .one)
        case .nonzeroIf:
            (x.dissatisfied.isPossible && !x.dissatisfied.hasSignature ? .empty.malleable : .empty, x.satisfied)
        }
    }

    private static func andV(_ x: Ways, _ y: Ways) -> Ways {
        (y.dissatisfied + x.satisfied, y.satisfied + x.satisfied)
    }

    private static func andB(_ x: Ways, _ y: Ways) -> Ways {
        (
            (y.dissatisfied + x.dissatisfied) | (y.satisfied + x.dissatisfied).malleable
                | (y.dissatisfied + x.satisfied).malleable,
            y.satisfied + x.satisfied
        )
    }

    private static func orB(_ x: Ways, _ y: Ways) -> Ways {
        (
            y.dissatisfied + x.dissatisfied,
            (y.dissatisfied + x.satisfied) | (y.satisfied + x.dissatisfied) | (y.satisfied + x.satisfied).malleable
        )
    }

    private static func orElse(_ x: Ways, _ y: Ways) -> Satisfaction {
        x.satisfied | (y.satisfied + x.dissatisfied)
    }

    private static func orD(_ x: Ways, _ y: Ways) -> Ways {
        (y.dissatisfied + x.dissatisfied, orElse(x, y))
    }

    private static func orI(_ x: Ways, _ y: Ways) -> Ways {
        (
            (x.dissatisfied + .one) | (y.dissatisfied + .empty),
            (x.satisfied + .one) | (y.satisfied + .empty)
        )
    }

    private static func andOr(_ x: Ways, _ y: Ways, _ z: Ways) -> Ways {
        (
            (z.dissatisfied + x.dissatisfied) | (y.dissatisfied + x.satisfied),
            (y.satisfied + x.satisfied) | (z.satisfied + x.dissatisfied)
        )
    }
}

extension [(dissatisfied: Satisfaction, satisfied: Satisfaction)] {
    /// Whether each of them can be dissatisfied without a signature. Then no way to dissatisfy the whole that has a signature
    /// is ever the better one, and no more parts need to be satisfied for that than can be without a signature.
    fileprivate var canAllBeDissatisfied: Bool { allSatisfy { $0.dissatisfied.isFree } }
}

extension Satisfaction {
    /// Whether anybody can have it, without a signature.
    fileprivate var isFree: Bool { isPossible && !hasSignature }
}
