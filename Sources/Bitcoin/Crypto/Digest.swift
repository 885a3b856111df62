import ByteCodec

/// The hash of a message or transaction: the 32 bytes that an ECDSA signature is made over.
///
/// Spec: SEC 1, section 4.1.3 (the hash value that is signed).
public struct Digest: Hashable, Sendable, CustomStringConvertible {
    /// The length of a digest, in bytes.
    public static let length = SHA256.digestLength

    /// The 32 bytes in the order in which they were hashed and are signed.
    public let bytes: [UInt8]

    /// Takes 32 bytes; `nil` for any other count.
    public init?(_ bytes: some Collection<UInt8>) {
        guard bytes.count == Self.length else { return nil }
        self.bytes = Array(bytes)
    }

    init(unchecked bytes: [UInt8]) { self.bytes = bytes }

    /// The SHA-256 of `content`.
    public init(hashing content: some Sequence<UInt8>) { bytes = SHA256.hash(content) }

    /// The SHA-256 of the SHA-256 of `content`, as transactions and messages are hashed.
    public init(doubleHashing content: some Sequence<UInt8>) { bytes = SHA256.doubleHash(content) }

    /// The tagged hash of a message: only signatures under the same tag can be mistaken for one of it.
    ///
    /// Spec: BIP-340, "Tagged hashes".
    package init(taggedHash tag: String, _ message: some Sequence<UInt8>) {
        bytes = SHA256.taggedHash(tag, message)
    }

    /// Sixty-four lower-case hexadecimal digits.
    public var description: String { Hex.encode(bytes) }
}
