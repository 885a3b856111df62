import Bitcoin

extension Store {
    /// The highest index that the store's wallets use of each account of a master key, going by what a chain server told
    /// of them last.
    ///
    /// Spec: BIP-44, "Address gap limit".
    func indexesInUse(of fingerprint: Fingerprint) throws(StoreError) -> [DerivationPath: UInt32] {
        var highest: [DerivationPath: UInt32] = [:]
        for stored in try wallets() {
            guard let wallet = try? WatchWallet(stored), let chain = try chain(of: stored.name) else { continue }
            for script in chain.scripts where script.isUsed {
                for origin in wallet.origins(of: script.place) where origin.fingerprint == fingerprint {
                    guard let path = CardPath(origin.path) else { continue }
                    highest[path.account] = max(highest[path.account] ?? 0, script.place.index)
                }
            }
        }
        return highest
    }
}
