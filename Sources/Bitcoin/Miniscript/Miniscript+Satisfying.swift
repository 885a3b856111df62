extension Miniscript {
    /// The smallest witness that nobody else can alter. What anybody could satisfy, such as a hash whose preimage is at hand,
    /// is satisfied rather than what takes a signature, even if that would be smaller.
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

    private typealias Ways = SatisfactionChoice.Ways

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
        // First the item that OP_CHECKMULTISIG takes and does not use (BIP-147).
        let dissatisfied = (0..<threshold).reduce(Satisfaction.empty) { result, _ in result + .empty }
        guard let signatures = Self.smallestSignatures(threshold, keys, assets) else {
            return (dissatisfied, Satisfaction(signature: nil))
        }
        return (dissatisfied, signatures.lazy.compactMap(\.self).reduce(.empty) { $0 + Satisfaction(signature: $1) })
    }

    /// A signature or an empty item for every key; the first key's on top.
    private func multiA(_ threshold: Int, _ keys: [Key], _ assets: some SpendingAssets<Key>) -> Ways {
        let dissatisfied = keys.reduce(Satisfaction.nothing) { result, _ in result + .empty }
        guard let signatures = Self.smallestSignatures(threshold, keys, assets) else {
            return (dissatisfied, Satisfaction(signature: nil))
        }
        let satisfied = signatures.reversed().reduce(Satisfaction.nothing) { result, signature in
            result + (signature == nil ? .empty : Satisfaction(signature: signature))
        }
        return (dissatisfied, satisfied)
    }

    /// The smallest signatures that are at hand, each in its key's place; `nil` if there are too few.
    private static func smallestSignatures(
        _ threshold: Int, _ keys: [Key], _ assets: some SpendingAssets<Key>
    ) -> [[UInt8]?]? {
        var signatures = keys.map { assets.signature(of: $0) }
        let order = signatures.indices.sorted { one, other in
            (signatures[one]?.count ?? .max, one) < (signatures[other]?.count ?? .max, other)
        }
        guard signatures[order[threshold - 1]] != nil else { return nil }
        for index in order.dropFirst(threshold) { signatures[index] = nil }
        return signatures
    }

    private static func threshold(_ threshold: Int, _ parts: [Ways]) -> Ways {
        let choice = SatisfactionChoice(threshold, of: parts)
        return (choice.dissatisfied, choice.satisfied)
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
