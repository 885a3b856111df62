import Bitcoin
import TapProtocol

/// An account's key that a remembered card has proven as its own, for a new policy.
///
/// It comes from the store, and the card is not there: before anybody pays to a wallet of it, the card should prove an
/// address.
package struct ProvenKey: Sendable {
    /// The card.
    package let card: CardRecord
    /// Its key, with the fingerprint of its proven master key.
    package let key: PolicyKey

    /// Whether the key is where programs look for a cosigner's key (BIP-48).
    package var isForCosigners: Bool { MultisigKind(accountPath: key.origin.path) == .p2wsh }
}

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
