import Bitcoin

/// What a card signs to prove something.
///
/// Spec: protocol, "What must be verified, always".
extension CardCore {
    /// Signs `"OPENDIME" || card_nonce || nonce || rest`: SHA-256, ECDSA with a randomized nonce, low S.
    mutating func prove(nonce: [UInt8], rest: [UInt8], with key: PrivateKey) throws(CardFault) -> [UInt8] {
        let message = Array("OPENDIME".utf8) + self.nonce + nonce + rest
        return try sign(digest: Digest(hashing: message), with: key).compact
    }

    /// A signature with a randomized nonce, as cards make it; S is low except on cards with other habits.
    mutating func sign(digest: Digest, with key: PrivateKey) throws(CardFault) -> ECDSASignature {
        try habitual(try usualSignature(digest: digest, with: key), digest: digest, key: key)
    }

    /// A signature with a randomized nonce; S is low, whatever the card's habits.
    mutating func usualSignature(digest: Digest, with key: PrivateKey) throws(CardFault) -> ECDSASignature {
        owesSignature = true
        guard let signature = try? key.sign(digest: digest, extraEntropy: randomBytes(32)) else {
            throw .invalidState
        }
        return signature
    }
}
