import Bitcoin

/// What the stored wallets show about a signer's accounts, for what a PSBT's inputs alone do not.
package struct StoredWallets: Sendable {
    /// The highest index in use on each branch of the signer's accounts, according to the last answers of chain servers, as
    /// far as payments of the wallet's own keys show it.
    ///
    /// Spec: BIP-44, "Address gap limit".
    var indexes: [DerivationPath: UInt32] = [:]
    /// The extended keys of the wallets with the signer, with their origins. None is proven: the inputs must prove
    /// each, as for those in a PSBT.
    var extendedKeys: [ExtendedKeyDerivation] = []

    /// The wallets that the signer registered with one of its keys, each confirmed.
    var registered: [WatchWallet] = []

    /// Nothing.
    package init() {}

    var isEmpty: Bool { indexes.isEmpty && extendedKeys.isEmpty && registered.isEmpty }
}

extension Store {
    /// What the stored wallets show about a signer.
    /// - Parameter registered: the wallets that it registered; `nil`: they are looked up, and none counts if one of them
    ///   fails.
    func storedWallets(of keys: SignerKeys, registered: [WatchWallet]? = nil) throws(StoreError) -> StoredWallets {
        let fingerprint = keys.masterFingerprint
        var known = StoredWallets()
        known.registered = registered ?? (try? registeredWallets(of: keys)) ?? []
        for stored in try wallets() {
            // What was altered after it was registered shows nothing.
            guard let wallet = stored.asRegistered else { continue }
            let keys = wallet.descriptors.flatMap(\.keys)
            guard keys.contains(where: { $0.origin?.fingerprint == fingerprint }) else { continue }
            known.extendedKeys += keys.compactMap(\.derivation)
            for script in try chain(of: stored.name)?.scriptsShownInUse ?? [] {
                for origin in wallet.origins(of: script.place) where origin.fingerprint == fingerprint {
                    guard let path = CardPath(origin.path) else { continue }
                    known.indexes[path.branch] = max(known.indexes[path.branch] ?? 0, script.place.index)
                }
            }
        }
        return known
    }
}

extension DescriptorKey {
    /// The extended key with its origin, in a PSBT's form; `nil` for others.
    fileprivate var derivation: ExtendedKeyDerivation? {
        guard let origin, case .extended(let key) = material else { return nil }
        return ExtendedKeyDerivation(key, origin: origin)
    }
}
