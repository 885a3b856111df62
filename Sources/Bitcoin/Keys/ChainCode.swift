import ByteCodec

/// The 32 bytes that, together with a key, give its children. Anyone who has them and a child's private key has the
/// parent's private key too, so publish them no more than an extended key.
///
/// Spec: BIP-32, "Extended keys".
public struct ChainCode: Hashable, Sendable, CustomStringConvertible {
    /// The length of a chain code, in bytes.
    public static let length = 32

    /// The 32 bytes.
    public let bytes: [UInt8]

    /// Takes 32 bytes; `nil` for any other count.
    public init?(_ bytes: some Collection<UInt8>) {
        guard bytes.count == Self.length else { return nil }
        self.bytes = Array(bytes)
    }

    init(unchecked bytes: [UInt8]) { self.bytes = bytes }

    /// Reads 64 hexadecimal digits; `nil` for anything else.
    public init?(parsing text: some StringProtocol) {
        guard let bytes = try? Hex.decode(text) else { return nil }
        self.init(bytes)
    }

    /// A chain code of random bytes.
    public init(using generator: inout some RandomNumberGenerator) {
        bytes = (0..<Self.length).map { _ in UInt8.random(in: 0...255, using: &generator) }
    }

    /// Sixty-four lower-case hexadecimal digits.
    public var description: String { Hex.encode(bytes) }
}
