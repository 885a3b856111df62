import Bitcoin
import ByteCodec
import Testing

/// A block without work that comes after the last one of a `CoreStandIn`.
struct StandInBlock: Sendable {
    private let hash: BlockHash
    private let bytes: [UInt8]

    init(_ transactions: [Transaction]) throws {
        let last = try #require(BlockHash(parsing: CoreStandIn.best))
        let header = [UInt8](repeating: 0, count: 4) + last.bytes + [UInt8](repeating: 0, count: 44)
        var bytes = header
        bytes.appendCompactSize(transactions.count)
        for transaction in transactions { bytes += transaction.serialized() }
        hash = try #require(BlockHeader(serialized: header)).hash
        self.bytes = bytes
    }

    /// What a node says of the block, and of the one before it; `nil` for all else.
    func answer(_ method: String, _ parameters: [JSONValue]) -> String? {
        switch method {
        case "getblock": "\"\(Hex.encode(bytes))\""
        case "getblockheader":
            parameters.first?.string == CoreStandIn.best
                ? #"{"confirmations":2,"height":200,"nextblockhash":"\#(hash)"}"#
                : #"{"confirmations":1,"height":201}"#
        default: nil
        }
    }
}
