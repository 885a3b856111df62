import CNettle

/// SHA-256, at once or piece by piece. A copy of a hasher is independent, so midstates can be shared.
///
/// Spec: FIPS 180-4.
public struct SHA256: Sendable {
    /// The length of a digest, in bytes.
    public static let digestLength = 32

    private var context = sha256_ctx()

    /// A hasher with no input yet.
    public init() { nettle_sha256_init(&context) }

    /// Adds bytes to the input.
    public mutating func update(_ bytes: some Sequence<UInt8>) {
        let fed: Void? = bytes.withContiguousStorageIfAvailable { buffer in
            nettle_sha256_update(&context, buffer.count, buffer.baseAddress)
        }
        if fed == nil { update(Array(bytes)) }
    }

    /// The 32-byte digest of all input.
    public consuming func finalize() -> [UInt8] {
        [UInt8](capacity: Self.digestLength) { nettle_sha256_digest(&context, $1, $0) }
    }

    /// The 32-byte digest of `bytes`.
    public static func hash(_ bytes: some Sequence<UInt8>) -> [UInt8] {
        var hasher = Self()
        hasher.update(bytes)
        return hasher.finalize()
    }

    /// SHA-256 of the SHA-256 of `bytes`: Bitcoin's hash for transactions and checksums.
    public static func doubleHash(_ bytes: some Sequence<UInt8>) -> [UInt8] { hash(hash(bytes)) }
}
