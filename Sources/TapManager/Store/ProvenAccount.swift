import Bitcoin
import TapProtocol

/// An extended key that a card was proven to hold, by the probe. A card's keys never change, so it need not be proven again:
/// remembered, it costs one signature once.
///
/// Spec: protocol, "Who can forge what" (the probe).
package struct ProvenAccount: Sendable, Hashable {
    /// The card's own, certified key.
    package let cardKey: PublicKey
    /// Where the key is said to stand below the master key, up to 8 hardened steps. Only an opened backup proves that.
    package let path: DerivationPath
    /// The key. Its parent fingerprint is zero, for a card does not tell it.
    package let key: ExtendedPublicKey
    /// When the card proved it.
    package let proven: UnixTime

    /// Nothing is verified here: only `AccountFlow`, which has the card sign for the key, makes what deserves the name.
    package init(cardKey: PublicKey, path: DerivationPath, key: ExtendedPublicKey, proven: UnixTime) {
        self.cardKey = cardKey
        self.path = path
        self.key = key
        self.proven = proven
    }
}
