import ByteCodec

/// The 80 bytes that a block's proof of work covers.
public struct BlockHeader: Hashable, Sendable {
    /// The length of a header, in bytes.
    public static let length = 80

    /// The header's hash.
    public let hash: BlockHash
    /// The previous block's hash; 32 zero bytes in the first block.
    public let previous: BlockHash
    /// The miner's time, in seconds since 1970; at worst hours off.
    public let time: UInt32

    /// Reads 80 bytes; `nil` for any other count. The proof of work is not checked.
    public init?(serialized bytes: some Collection<UInt8>) {
        guard bytes.count == Self.length else { return nil }
        var reader = ByteReader(Array(bytes))
        do {
            _ = try reader.read(4)
            previous = BlockHash(unchecked: try reader.read(32))
            _ = try reader.read(32)
            time = try reader.littleEndian()
        } catch { return nil }
        hash = BlockHash(unchecked: SHA256.doubleHash(bytes))
    }
}
