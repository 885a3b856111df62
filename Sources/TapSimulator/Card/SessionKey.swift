import Bitcoin

/// The secret that card and host share for one command, 32 bytes.
///
/// Spec: protocol, "Authentication".
struct SessionKey: Sendable {
    let bytes: SecretBytes

    /// The secret shared with the holder of an ephemeral key.
    /// - Throws: `CardFault.badAuth` if `ephemeralKey` is not a point on the curve.
    init(cardKey: PrivateKey, ephemeralKey: [UInt8]) throws(CardFault) {
        guard let point = try? PublicKey(ephemeralKey), let secret = try? cardKey.sharedSecret(with: point) else {
            throw .badAuth
        }
        bytes = secret
    }

    /// Hides up to 32 bytes, or reveals them again.
    func masking(_ content: some Sequence<UInt8>) -> [UInt8] {
        bytes.withBytes { key in zip(content, key).map { $0 ^ $1 } }
    }

    /// The CVC that the host hid as `xcvc` for a command.
    func revealCVC(_ xcvc: [UInt8], cardNonce: [UInt8], command: String) -> SecretBytes {
        let mask = SHA256.hash(cardNonce + Array(command.utf8))
        return SecretBytes(count: min(xcvc.count, mask.count)) { buffer in
            bytes.withBytes { key in
                for index in buffer.indices { buffer[index] = xcvc[index] ^ mask[index] ^ key[index] }
            }
        }
    }
}
