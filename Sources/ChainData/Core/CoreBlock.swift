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
        let body = bytes.dropFirst(BlockHeader.length)
        var reader = ByteReader(body)
        var transactions: [Transaction] = []
        do {
            let count = try reader.compactSize()
            for _ in 0..<count {
                let start = body.startIndex + reader.offset
                try Self.skipTransaction(&reader)
                let end = body.startIndex + reader.offset
                transactions.append(try Transaction(serialized: body[start..<end]))
            }
            try reader.expectEnd()
        } catch { throw .malformed("block \(hash): \(error)") }
        self.header = header
        self.transactions = transactions
    }

    /// Moves to the end of a transaction.
    private static func skipTransaction(_ reader: inout ByteReader) throws(ByteReader.ReadingError) {
        _ = try reader.slice(4)
        var inputCount = try reader.compactSize()
        // No transaction of a block is without inputs: this marks the form with witnesses, and a flag follows.
        let hasWitnesses = inputCount == 0
        if hasWitnesses {
            _ = try reader.byte()
            inputCount = try reader.compactSize()
        }
        for _ in 0..<inputCount {
            _ = try reader.slice(36)
            _ = try reader.sizedSlice()
            _ = try reader.slice(4)
        }
        let outputCount = try reader.compactSize()
        for _ in 0..<outputCount {
            _ = try reader.slice(8)
            _ = try reader.sizedSlice()
        }
        if hasWitnesses {
            for _ in 0..<inputCount {
                let itemCount = try reader.compactSize()
                for _ in 0..<itemCount { _ = try reader.sizedSlice() }
            }
        }
        _ = try reader.slice(4)
    }
}
