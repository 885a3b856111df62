import Bitcoin
import TapProtocol

/// An extended key that a card has proven by the probe. A card's keys never change, so it is remembered, and costs only
/// one signature.
///
/// Spec: protocol, "Who can forge what" (the probe).
package struct ProvenAccount: Sendable, Hashable {
    /// The card's own, certified key.
    package let cardKey: PublicKey
    /// The claimed path of the key from the master key, up to 8 hardened steps. Only a decrypted backup proves it.
    package let path: DerivationPath
    /// The key. Its parent fingerprint is zero, as a card does not report it.
    package let key: ExtendedPublicKey
    /// When the card proved it.
    package let proven: UnixTime

    /// Verifies nothing: only `AccountProver`, which has the card sign with the key, should create it.
    package init(cardKey: PublicKey, path: DerivationPath, key: ExtendedPublicKey, proven: UnixTime) {
        self.cardKey = cardKey
        self.path = path
        self.key = key
        self.proven = proven
    }
}
