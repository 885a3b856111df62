import Bitcoin

/// Two keys of one multisig that belong to one person: whoever has one can also sign with the other.
///
/// Spec: threats, "The wallet's own descriptors"; BIP-32, "Public parent key → public child key".
package enum SharedCosigner {
    /// Finds keys of one holder: the same point in any encoding and with any chain code, the same key at index 0 of a
    /// branch, or an extended key that is an unhardened child of another, by the index it claims or as its child 0 or
    /// 1.
    /// - Returns: the positions in `keys`, from 0, of the first two; `nil` if there are none.
    package static func places(in keys: [DescriptorKey]) -> (Int, Int)? {
        let roots = keys.map { WalletPolicy.Key($0).root }
        // Whoever has the key is the same person, whatever the chain code.
        if let same = firstEqual(roots.map(\.xCoordinate)) { return same }
        for branch in 0..<(keys.map(\.branchCount).max() ?? 0) {
            let points = keys.map { key in
                (try? key.publicKey(branch: key.branchCount == 1 ? 0 : branch, index: 0))
                    .map(WalletPolicy.Key.Root.xCoordinate)
            }
            if let same = firstEqual(points) { return same }
        }
        return parentAndChild(keys, roots)
    }

    /// The positions of the first two that are equal and not `nil`.
    private static func firstEqual(_ points: [[UInt8]?]) -> (Int, Int)? {
        var places: [[UInt8]: Int] = [:]
        for (place, point) in points.enumerated() {
            guard let point else { continue }
            if let first = places[point] { return (first, place) }
            places[point] = place
        }
        return nil
    }

    /// Pairs are compared only among as many keys as a script that cards sign can have (BIP-383): a taproot script may
    /// have a thousand, and would take minutes.
    static let comparedKeys = 20

    private static func parentAndChild(_ keys: [DescriptorKey], _ roots: [WalletPolicy.Key.Root]) -> (Int, Int)? {
        guard keys.count <= comparedKeys else { return nil }
        let extended = keys.map(\.extendedKey)
        let places = Dictionary(zip(roots, keys.indices)) { first, _ in first }
        var numbers = Set(extended.compactMap { $0?.childNumber }.filter { !$0.isHardened })
        numbers.formUnion([ChildNumber(rawValue: 0), ChildNumber(rawValue: 1)])
        for (place, parent) in extended.enumerated() {
            guard let parent else { continue }
            for number in numbers {
                guard let child = try? parent.child(number) else { continue }
                let root = WalletPolicy.Key.Root(bytes: child.publicKey.bytes, chainCode: child.chainCode)
                if let other = places[root] { return (min(place, other), max(place, other)) }
            }
        }
        return nil
    }
}

extension DescriptorKey {
    /// The key from which others follow without a private key; `nil` for a single key.
    fileprivate var extendedKey: ExtendedPublicKey? {
        switch material {
        case .extended(let key): key
        case .extendedPrivate(let key): key.neutered
        case .publicKey, .xOnly, .privateKey: nil
        }
    }
}
