import Bitcoin
import ByteCodec

/// A block as a node sends it. That it has these transactions is the node's claim.
struct CoreBlock {
    let header: BlockHeader
    let transactions: [Transaction]

    /// Reads a block that a node sent for a hash, and verifies the hash.
    ///
    /// Spec: Bitcoin Core, `CBlock`; BIP-144, "Serialization".
    init(answer bytes: [UInt8], for hash: BlockHash) throws(ChainError) {
        guard let header = BlockHeader(serialized: bytes.prefix(BlockHeader.length)) else {
            throw .malformed("block \(hash) is shorter than a header")
        }
        guard header.hash == hash else { throw .liar("it sent a different block for \(hash)") }
        var reader = ByteReader(bytes.dropFirst(BlockHeader.length))
        var transactions: [Transaction] = []
        do {
            let count = try reader.compactSize()
            for _ in 0..<count { transactions.append(try Transaction(from: &reader)) }
            try reader.expectEnd()
        } catch { throw .malformed("block \(hash): \(error)") }
        self.header = header
        self.transactions = transactions
    }
}
