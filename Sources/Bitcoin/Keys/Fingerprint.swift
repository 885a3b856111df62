import ByteCodec

/// The first four bytes of a key's HASH160, which BIP-32 and PSBTs use to name keys. Four bytes are easily forged: a
/// fingerprint is a hint, never a proof.
///
/// Spec: BIP-32, "Key identifiers".
public struct Fingerprint: Hashable, Sendable, CustomStringConvertible {
    /// The four bytes.
    public let bytes: [UInt8]

    /// Takes four bytes; `nil` for any other count.
    public init?(_ bytes: some Collection<UInt8>) {
        guard bytes.count == 4 else { return nil }
        self.bytes = Array(bytes)
    }

    /// The fingerprint of a key.
    public init(of key: PublicKey) { bytes = Array(key.hash160.prefix(4)) }

    /// Four zero bytes: "no parent", or unknown.
    public static let zero = Self(zeros: ())

    private init(zeros: Void) { bytes = [0, 0, 0, 0] }

    /// Eight lower-case hexadecimal digits.
    public var description: String { Hex.encode(bytes) }
}
