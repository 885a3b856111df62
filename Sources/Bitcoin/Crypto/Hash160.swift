import CNettle

/// RIPEMD-160 (20 bytes).
///
/// Spec: Dobbertin, Bosselaers, Preneel 1996; ISO/IEC 10118-3.
enum RIPEMD160 {
    /// The 20-byte digest of `bytes`.
    static func hash(_ bytes: [UInt8]) -> [UInt8] {
        var context = ripemd160_ctx()
        nettle_ripemd160_init(&context)
        nettle_ripemd160_update(&context, bytes.count, bytes)
        var digest = [UInt8](repeating: 0, count: 20)
        nettle_ripemd160_digest(&context, digest.count, &digest)
        return digest
    }
}

/// RIPEMD-160 of SHA-256: Bitcoin's hash for public keys and redeem scripts.
public enum Hash160 {
    /// The 20-byte digest of `bytes`.
    public static func hash(_ bytes: some Sequence<UInt8>) -> [UInt8] { RIPEMD160.hash(SHA256.hash(bytes)) }
}
