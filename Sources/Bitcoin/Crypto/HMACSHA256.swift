import CNettle

/// HMAC with SHA-256.
///
/// Spec: RFC 2104, FIPS 180-4.
public enum HMACSHA256 {
    /// The 32-byte code of `message` under `key`.
    public static func authenticate(key: SecretBytes, message: [UInt8]) -> [UInt8] {
        var context = hmac_sha256_ctx()
        defer { withUnsafeMutableBytes(of: &context) { $0.wipe() } }
        key.withPointer { nettle_hmac_sha256_set_key(&context, key.count, $0) }
        nettle_hmac_sha256_update(&context, message.count, message)
        return [UInt8](capacity: SHA256.digestLength) { nettle_hmac_sha256_digest(&context, $1, $0) }
    }
}
