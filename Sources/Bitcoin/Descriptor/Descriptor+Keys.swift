extension Descriptor {
    /// One branch of the descriptor, with everything derived that its scripts have in common: the same scripts and
    /// origins, at one derivation per key.
    /// - Parameter branch: the branch of a multipath descriptor, from 0.
    /// - Throws: as `scripts(branch:index:)`.
    public func derivingBranch(_ branch: Int) throws(DescriptorError) -> Descriptor {
        guard (0..<branchCount).contains(branch) else { throw .noSuchScript }
        return Descriptor(
            try expression.mapKeys { key throws(DescriptorError) in try key.derivingBranch(branch) })
    }

    /// The expression of one script: each key derived once, with its whole origin.
    func fixed(branch: Int, index: UInt32) throws(DescriptorError) -> Expression {
        guard (0..<branchCount).contains(branch) else { throw .noSuchScript }
        return try expression.mapKeys { key throws(DescriptorError) in
            let branch = key.branchCount == 1 ? 0 : branch
            let bytes = try key.publicKey(branch: branch, index: index)
            return DescriptorKey(
                origin: try key.origin(branch: branch, index: index),
                material: bytes.count == 32 ? .xOnly(bytes) : .publicKey(bytes))
        }
    }
}

extension DescriptorKey {
    /// The key in a branch, derived up to the wildcard; a private key is not derived.
    fileprivate func derivingBranch(_ number: Int) throws(DescriptorError) -> DescriptorKey {
        let key = branchCount == 1 ? self : branch(number)
        guard case .extended(let top) = key.material, !key.steps.isEmpty else { return key }
        let path = try DescriptorKey(origin: nil, material: key.material, steps: key.steps).path(branch: 0, index: 0)
        let below: ExtendedPublicKey
        do throws(ExtendedKeyError) { below = try top.descendant(path) } catch {
            if case .hardenedStep = error { throw .hardenedStep }
            throw .key(.encoding)
        }
        let origin = key.origin ?? KeyOrigin(fingerprint: top.fingerprint, path: DerivationPath())
        return DescriptorKey(
            origin: KeyOrigin(fingerprint: origin.fingerprint, path: origin.path.appending(path)),
            material: .extended(below), wildcard: key.wildcard)
    }
}

extension Descriptor.Expression {
    /// The same expression with other keys.
    func mapKeys<Failure: Error>(
        _ transform: (DescriptorKey) throws(Failure) -> DescriptorKey
    ) throws(Failure) -> Self {
        switch self {
        case .pk(let key): return .pk(try transform(key))
        case .pkh(let key): return .pkh(try transform(key))
        case .wpkh(let key): return .wpkh(try transform(key))
        case .combo(let key): return .combo(try transform(key))
        case .multi(let threshold, let keys, let isSorted):
            return .multi(threshold: threshold, keys: try keys.mapKeys(transform), isSorted: isSorted)
        case .miniscript(let miniscript): return .miniscript(try miniscript.mapKeys(transform))
        case .sh(let inner): return .sh(try inner.mapKeys(transform))
        case .wsh(let inner): return .wsh(try inner.mapKeys(transform))
        case .tr(let key, let scripts): return .tr(try transform(key), try scripts?.mapKeys(transform))
        case .address, .raw: return self
        }
    }
}

extension Descriptor.TaprootScripts {
    fileprivate func mapKeys<Failure: Error>(
        _ transform: (DescriptorKey) throws(Failure) -> DescriptorKey
    ) throws(Failure) -> Self {
        switch self {
        case .pk(let key): return .pk(try transform(key))
        case .pkh(let key): return .pkh(try transform(key))
        case .multi(let threshold, let keys, let isSorted):
            return .multi(threshold: threshold, keys: try keys.mapKeys(transform), isSorted: isSorted)
        case .miniscript(let miniscript): return .miniscript(try miniscript.mapKeys(transform))
        case .branch(let one, let other): return .branch(try one.mapKeys(transform), try other.mapKeys(transform))
        }
    }
}

extension [DescriptorKey] {
    fileprivate func mapKeys<Failure: Error>(
        _ transform: (DescriptorKey) throws(Failure) -> DescriptorKey
    ) throws(Failure) -> Self {
        var keys: [DescriptorKey] = []
        for key in self { keys.append(try transform(key)) }
        return keys
    }
}
