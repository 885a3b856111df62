import Bitcoin

/// The coins of some scripts in all blocks up to a certain one: as a scan found them, and as the blocks after the scan
/// changed them.
struct CoreCoins {
    let scripts: Set<Script>
    /// The last block that is counted.
    private(set) var block: BlockHash
    /// How many blocks were counted since the scan.
    private(set) var newBlockCount = 0
    /// What was found, whether or not it has been spent since.
    private var found: [Script: [UnspentClaim]]
    private var unspentOutpoints: Set<Outpoint>

    /// The result of a scan.
    /// - Parameter block: the last block then.
    init(_ found: [Script: [UnspentClaim]], of scripts: Set<Script>, at block: BlockHash) {
        self.scripts = scripts
        self.block = block
        self.found = found
        unspentOutpoints = Set(found.values.joined().map(\.outpoint))
    }

    /// The coins that no block spends.
    var unspent: [Script: [UnspentClaim]] {
        found.mapValues { $0.filter { unspentOutpoints.contains($0.outpoint) } }
    }

    /// Counts one more block.
    /// - Parameter height: the new block's height.
    /// - Throws: `.liar` for a block that does not come after the last one; `.malformed` for an impossible amount.
    mutating func count(_ next: CoreBlock, at height: Int) throws(ChainError) {
        guard next.header.previous == block else { throw .liar("block \(next.header.hash) does not follow \(block)") }
        for transaction in next.transactions {
            for input in transaction.inputs { unspentOutpoints.remove(input.outpoint) }
            let payments = transaction.outputs.enumerated().filter { scripts.contains($0.element.scriptPubKey) }
            guard !payments.isEmpty else { continue }
            let id = transaction.id
            for (index, output) in payments {
                guard let amount = output.amount else { throw .malformed("\(id) pays an impossible amount") }
                let outpoint = Outpoint(transactionID: id, index: UInt32(clamping: index))
                found[output.scriptPubKey, default: []].append(
                    UnspentClaim(outpoint: outpoint, amount: amount, height: height))
                unspentOutpoints.insert(outpoint)
            }
        }
        block = next.header.hash
        newBlockCount += 1
    }
}
