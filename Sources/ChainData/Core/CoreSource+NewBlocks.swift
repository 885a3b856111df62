import Bitcoin
import ByteCodec

/// The blocks that arrive while the node scans its coins.
extension CoreSource {
    /// How many blocks are read after a scan: as many as arrive in two hours.
    static let mostNewBlocks = 12

    /// Counts the blocks that came after the last one counted.
    /// - Returns: how many; `nil` if that one is no longer in the chain, or if more came since the scan than are read.
    func countNewBlocks(in coins: inout CoreCoins) async throws(ChainError) -> Int? {
        let before = coins.newBlockCount
        while true {
            let header = try await call("getblockheader", [.string(coins.block.description)])
            guard let confirmations = try header.required("confirmations").integer else {
                throw .malformed("confirmations is not a number")
            }
            // Negative: another block has taken its place.
            guard (1...Int64(1 + Self.mostNewBlocks - coins.newBlockCount)).contains(confirmations) else { return nil }
            guard confirmations > 1 else { return coins.newBlockCount - before }
            let height = try header.height("height") + 1
            let next = try await block(try Self.blockHash("nextblockhash", of: header))
            try coins.count(next, at: height)
        }
    }

    /// In hexadecimal rather than as JSON, which would be several times as long.
    private func block(_ hash: BlockHash) async throws(ChainError) -> CoreBlock {
        let answer = try await call(
            "getblock", [.string(hash.description), .integer(0)], timeLimit: settings.scanTimeLimit)
        return try CoreBlock(answer: try answer.hex("a block"), for: hash)
    }

    /// A block's hash in an answer.
    static func blockHash(_ key: String, of answer: JSONValue) throws(ChainError) -> BlockHash {
        guard let hash = BlockHash(parsing: try answer.text(key)) else {
            throw .malformed("\(key) is not a block hash")
        }
        return hash
    }
}
