import Bitcoin

/// The secret that host and card share for one command: derived from a fresh ephemeral key, used as a one-time pad.
///
/// It hides the CVC and one field of the request or the response, as the protocol defines. The CVC's mask depends only
/// on what is sent in plain, so it adds nothing: anyone who recorded an exchange and later learns the other field has
/// the CVC. So, where the host can choose, nothing that others can learn is hidden this way; where it cannot (a digest
/// becomes public with its transaction), no host can prevent it. A trace must never show the hidden CVC.
///
/// Spec: protocol, "Authentication" and "Who can forge what".
struct SessionKey: Sendable {
    /// `epubkey`: what the card needs to derive the same secret.
    let ephemeralPublicKey: PublicKey
    private let secret: SecretBytes

    /// Agrees on a secret with the card.
    /// - Throws: `KeyError.invalidResult` (cannot happen with valid keys).
    init(ephemeral: PrivateKey, cardKey: PublicKey) throws(KeyError) {
        ephemeralPublicKey = ephemeral.publicKey
        secret = try ephemeral.sharedSecret(with: cardKey)
    }

    /// `xcvc`: the CVC masked with the session key, the card's nonce and the command's name; as long as the CVC.
    func hidden(_ cvc: CVC, cardNonce: [UInt8], command: String) -> [UInt8] {
        let mask = SHA256.hash(cardNonce + Array(command.utf8))
        return cvc.digits.withBytes { digits in
            secret.withBytes { secret in zip(digits, zip(secret, mask)).map { $0 ^ $1.0 ^ $1.1 } }
        }
    }

    /// At most 32 bytes XORed with the session key; applying it twice returns the original bytes.
    func hidden(_ bytes: some Sequence<UInt8>) -> [UInt8] {
        secret.withBytes { secret in zip(bytes, secret).map { $0 ^ $1 } }
    }

    /// The digits of a new CVC XORed with the session key.
    func hidden(_ newCVC: CVC) -> [UInt8] { newCVC.digits.withBytes { hidden($0) } }
}
