import CNettle

/// PBKDF2 with HMAC-SHA512.
///
/// Spec: RFC 8018, section 5.2.
public enum PBKDF2SHA512 {
    /// Derives a key.
    /// - Parameters:
    ///   - iterations: at least 1.
    ///   - length: bytes of the key.
    public static func derive(
        password: [UInt8], salt: [UInt8], iterations: UInt32, length: Int
    ) -> SecretBytes {
        SecretBytes(count: length) { key in
            nettle_pbkdf2_hmac_sha512(
                password.count, password, max(1, iterations), salt.count, salt, key.count,
                key.baseAddress?.assumingMemoryBound(to: UInt8.self))
        }
    }
}
