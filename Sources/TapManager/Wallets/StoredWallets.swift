import Bitcoin

/// What the store's wallets tell of a signer's accounts, where a PSBT's inputs alone do not.
package struct StoredWallets: Sendable {
    /// The highest index in use of each of the signer's accounts, going by what a chain server told last.
    ///
    /// Spec: BIP-44, "Address gap limit".
    var indexes: [DerivationPath: UInt32] = [:]
    /// The extended keys of the wallets that the signer is in, with their origins. None is proven: the inputs must bear out
    /// each of them, as those that a PSBT brings.
    var extendedKeys: [ExtendedKeyDerivation] = []

    /// Nothing.
    package init() {}

    var isEmpty: Bool { indexes.isEmpty && extendedKeys.isEmpty }
}

extension Store {
    /// What the store's wallets tell of a master key.
    func storedWallets(of fingerprint: Fingerprint) throws(StoreError) -> StoredWallets {
        var known = StoredWallets()
        for stored in try wallets() {
            guard let wallet = try? WatchWallet(stored) else { continue }
            let keys = wallet.descriptors.flatMap(\.keys)
            guard keys.contains(where: { $0.origin?.fingerprint == fingerprint }) else { continue }
            known.extendedKeys += keys.compactMap(\.derivation)
            for script in try chain(of: stored.name)?.scripts ?? [] where script.isUsed {
                for origin in wallet.origins(of: script.place) where origin.fingerprint == fingerprint {
                    guard let path = CardPath(origin.path) else { continue }
                    known.indexes[path.account] = max(known.indexes[path.account] ?? 0, script.place.index)
                }
            }
        }
        return known
    }
}

extension DescriptorKey {
    /// The extended key with its origin, as a PSBT carries it; `nil` for others.
    fileprivate var derivation: ExtendedKeyDerivation? {
        guard let origin, case .extended(let key) = material else { return nil }
        return ExtendedKeyDerivation(key, origin: origin)
    }
}
