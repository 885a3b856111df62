import Bitcoin

/// A signature that a card made, verified over the digest and by the key.
public struct CardSignature: Sendable, Hashable {
    /// Low R, low S.
    public let signature: ECDSASignature
    /// The key at the card's path plus the sub-path.
    public let publicKey: PublicKey
}
