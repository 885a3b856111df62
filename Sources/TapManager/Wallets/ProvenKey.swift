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
