import Bitcoin
import ByteCodec
import Synchronization
import Testing

/// A block on top of another one, without work.
struct StandInBlock: Sendable {
    let hash: BlockHash
    let bytes: [UInt8]

    init(after previous: BlockHash, _ transactions: [Transaction] = []) throws {
        let header = [UInt8](repeating: 0, count: 4) + previous.bytes + [UInt8](repeating: 0, count: 44)
        var bytes = header
        bytes.appendCompactSize(transactions.count)
        for transaction in transactions { bytes += transaction.serialized() }
        hash = try #require(BlockHeader(serialized: header)).hash
        self.bytes = bytes
    }

    /// The JSON of the block, as a node sends it.
    var json: String { "\"\(Hex.encode(bytes))\"" }
}

/// The blocks that come after the last one of a `CoreStandIn`, while a test asks it.
final class GrowingChain: Sendable {
    let blocks: [StandInBlock]
    private let arrived: Mutex<Int>

    /// - Parameters:
    ///   - transactions: those of each block.
    ///   - arrived: how many blocks are there at first.
    init(_ transactions: [[Transaction]], arrived: Int = 0) throws {
        var last = try #require(BlockHash(parsing: CoreStandIn.best))
        var blocks: [StandInBlock] = []
        for list in transactions {
            let block = try StandInBlock(after: last, list)
            blocks.append(block)
            last = block.hash
        }
        self.blocks = blocks
        self.arrived = Mutex(arrived)
    }

    /// Adds the next block, if there is one.
    func grow() { arrived.withLock { $0 = min($0 + 1, blocks.count) } }

    /// What a node says of these blocks, and of the one before them; `nil` for all else.
    func answer(_ method: String, _ parameters: [JSONValue]) -> String? {
        let hash = parameters.first?.string
        let index = blocks.firstIndex { $0.hash.description == hash }
        switch method {
        case "getblock": return index.map { blocks[$0].json }
        case "getblockheader":
            guard let place = hash == CoreStandIn.best ? 0 : index.map({ $0 + 1 }) else { return nil }
            let arrived = arrived.withLock { $0 }
            let next = place < arrived ? #","nextblockhash":"\#(blocks[place].hash)""# : ""
            return #"{"confirmations":\#(arrived - place + 1),"height":\#(200 + place)\#(next)}"#
        default: return nil
        }
    }
}
