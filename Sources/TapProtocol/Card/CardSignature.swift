import Bitcoin

/// A signature that a card made, verified over the digest and by the key.
public struct CardSignature: Sendable, Hashable {
    /// Low S; R as the card made it, which is low on cards that keep to the protocol.
    public let signature: ECDSASignature
    /// The key at the card's path plus the sub-path, or that of a SATSCARD's slot.
    public let publicKey: PublicKey

    /// Confirms what every `sign` promises.
    /// - Throws: `TapError.badProof(.signature)`.
    func verify(over digest: Digest) throws(TapError) {
        guard publicKey.isValid(signature, for: digest) else {
            throw .badProof(.signature, detail: "the signature is not one over our digest by the returned key")
        }
    }
}
