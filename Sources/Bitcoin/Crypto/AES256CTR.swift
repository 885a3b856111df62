import CNettle

/// AES-256 in counter mode; encryption and decryption are the same.
///
/// Spec: FIPS 197, NIST SP 800-38A section 6.5.
public enum AES256CTR {
    /// The length of a key, in bytes.
    public static let keyLength = 32

    /// Applies the key stream to `data`.
    /// - Parameters:
    ///   - key: 32 bytes.
    ///   - counter: the first counter block, 16 bytes.
    /// - Returns: as many bytes as `data` has; `nil` when key or counter have another length.
    public static func crypt(_ data: [UInt8], key: SecretBytes, counter: [UInt8]) -> [UInt8]? {
        guard key.count == keyLength, counter.count == 16 else { return nil }
        var context = aes256_ctx()
        defer { withUnsafeMutableBytes(of: &context) { $0.wipe() } }
        key.withPointer { nettle_aes256_set_encrypt_key(&context, $0) }
        var counter = counter
        return [UInt8](capacity: data.count) { tapkit_aes256_ctr_crypt(&context, &counter, $1, $0, data) }
    }
}
