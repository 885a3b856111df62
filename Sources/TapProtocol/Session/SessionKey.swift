import Bitcoin

/// The secret that host and card share for one command: made from a fresh ephemeral key, and used as a one-time pad.
///
/// It hides the CVC and one field of the request or of the answer, as the protocol has it. The CVC's mask is made of
/// what passes in the clear, so it adds nothing: whoever recorded an exchange and learns the other field later finds the
/// CVC. So nothing that anybody else can come to know is hidden under one where a host has the choice; where it has none
/// (a digest becomes public with its transaction), no host can mend it. A trace must never show the hidden CVC.
///
/// Spec: protocol, "Authentication" and "Who can forge what".
struct SessionKey: Sendable {
    /// `epubkey`: what the card needs to find the same secret.
    let ephemeralPublicKey: PublicKey
    private let secret: SecretBytes

    /// Agrees with the card on a secret.
    /// - Throws: `KeyError.invalidResult` (cannot happen with valid keys).
    init(ephemeral: PrivateKey, cardKey: PublicKey) throws(KeyError) {
        ephemeralPublicKey = ephemeral.publicKey
        secret = try ephemeral.sharedSecret(with: cardKey)
    }

    /// `xcvc`: the CVC under the session key, the card's nonce and the command's name; as long as the CVC.
    func hidden(_ cvc: CVC, cardNonce: [UInt8], command: String) -> [UInt8] {
        let mask = SHA256.hash(cardNonce + Array(command.utf8))
        return cvc.digits.withBytes { digits in
            secret.withBytes { secret in zip(digits, zip(secret, mask)).map { $0 ^ $1.0 ^ $1.1 } }
        }
    }

    /// At most 32 bytes under the session key; applied twice, the bytes themselves.
    func hidden(_ bytes: some Sequence<UInt8>) -> [UInt8] {
        secret.withBytes { secret in zip(bytes, secret).map { $0 ^ $1 } }
    }

    /// The digits of a new CVC under the session key.
    func hidden(_ newCVC: CVC) -> [UInt8] { newCVC.digits.withBytes { hidden($0) } }
}
