import Bitcoin

/// The last block that a server knows.
public struct ChainTip: Hashable, Sendable {
    /// The block's height; the first block's is 0.
    public let height: Int
    /// The block's hash, if the server gives it.
    public let blockHash: BlockHash?
    /// The miner's time in seconds since 1970, if the server gives it.
    public let time: UInt32?

    /// - Parameters:
    ///   - blockHash: `nil` if the server does not give it.
    ///   - time: seconds since 1970; `nil` if the server does not give it.
    public init(height: Int, blockHash: BlockHash? = nil, time: UInt32? = nil) {
        self.height = height
        self.blockHash = blockHash
        self.time = time
    }
}
