import CNettle

/// SHA-1 (20 bytes): broken, and here only because scripts have an operation for it.
///
/// Spec: FIPS 180-4.
enum SHA1 {
    /// The 20-byte digest of `bytes`.
    static func hash(_ bytes: [UInt8]) -> [UInt8] {
        var context = sha1_ctx()
        nettle_sha1_init(&context)
        nettle_sha1_update(&context, bytes.count, bytes)
        return [UInt8](capacity: 20) { nettle_sha1_digest(&context, $1, $0) }
    }
}
