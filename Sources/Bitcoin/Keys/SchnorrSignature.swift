import CSecp256k1

/// Schnorr signatures over secp256k1, which cards cannot make and tapkit only verifies.
///
/// Spec: BIP-340.
public enum SchnorrSignature {
    /// The length of a signature, in bytes.
    public static let length = 64

    /// Whether `signature` is valid for `message` and the key with this x coordinate.
    /// - Parameters:
    ///   - signature: 64 bytes.
    ///   - message: any bytes; in transactions, the 32 bytes of a digest.
    ///   - publicKey: 32 bytes.
    public static func isValid(_ signature: [UInt8], for message: [UInt8], publicKey: [UInt8]) -> Bool {
        var point = secp256k1_xonly_pubkey()
        guard signature.count == length, publicKey.count == 32,
            secp256k1_xonly_pubkey_parse(CurveContext.shared, &point, publicKey) == 1
        else { return false }
        return secp256k1_schnorrsig_verify(CurveContext.shared, signature, message, message.count, &point) == 1
    }
}
