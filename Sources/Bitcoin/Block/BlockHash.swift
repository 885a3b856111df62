import ByteCodec

/// The double SHA-256 of a block's header, which identifies the block.
public struct BlockHash: Hashable, Sendable, CustomStringConvertible {
    /// 32 bytes in the order in which they are hashed and serialized.
    public let bytes: [UInt8]

    /// Takes 32 bytes in serialization order; `nil` for any other count.
    public init?(_ bytes: some Collection<UInt8>) {
        guard bytes.count == 32 else { return nil }
        self.bytes = Array(bytes)
    }

    init(unchecked bytes: [UInt8]) { self.bytes = bytes }

    /// Reads 64 hexadecimal digits in the order shown to people; `nil` for anything else.
    public init?(parsing text: some StringProtocol) {
        guard let bytes = try? Hex.decode(text) else { return nil }
        self.init(bytes.reversed())
    }

    /// Sixty-four hexadecimal digits, byte-reversed, as shown to people.
    public var description: String { Hex.encode(bytes.reversed()) }
}
