import Bitcoin

/// A signature made by a card, verified against the digest and the key.
public struct CardSignature: Sendable, Hashable {
    /// Low S. R is as the card made it: low on cards that follow the protocol.
    public let signature: ECDSASignature
    /// The key at the card's path plus the sub-path, or the key of a SATSCARD's slot.
    public let publicKey: PublicKey

    /// Verifies what every `sign` promises.
    /// - Throws: `TapError.badProof(.signature)`.
    func verify(over digest: Digest) throws(TapError) {
        guard publicKey.isValid(signature, for: digest) else {
            throw .badProof(.signature, detail: "the signature is not valid for our digest and the returned key")
        }
    }
}
