import Bitcoin

/// The last block that a server knows.
public struct ChainTip: Hashable, Sendable {
    /// The block's height; the first block's is 0.
    public let height: Int
    /// The block's hash, where the server tells it.
    public let blockHash: BlockHash?
    /// The miner's time in seconds since 1970, where the server tells it.
    public let time: UInt32?

    /// - Parameters:
    ///   - blockHash: `nil` where the server does not tell it.
    ///   - time: seconds since 1970; `nil` where the server does not tell it.
    public init(height: Int, blockHash: BlockHash? = nil, time: UInt32? = nil) {
        self.height = height
        self.blockHash = blockHash
        self.time = time
    }
}
