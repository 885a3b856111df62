import Bitcoin

/// The keys that cards have proven.
extension CardManager {
    /// The keys that remembered cards have proven, those for cosigners first, then those of the cards seen last. Without the
    /// master keys, which are for no wallet.
    /// - Parameter network: for which network the keys must be; `nil`: any.
    package nonisolated func provenKeys(for network: Network? = nil) throws(StoreError) -> [ProvenKey] {
        var keys: [ProvenKey] = []
        for card in try store.cards() {
            guard let fingerprint = card.fingerprint else { continue }
            for account in try store.provenAccounts(of: card.publicKey) where !account.path.steps.isEmpty {
                guard network.map({ $0.keyNetwork == account.key.network }) ?? true else { continue }
                let origin = KeyOrigin(fingerprint: fingerprint, path: account.path)
                keys.append(ProvenKey(card: card, key: PolicyKey(origin: origin, key: account.key)))
            }
        }
        return keys.filter(\.isForCosigners) + keys.filter { !$0.isForCosigners }
    }
}
