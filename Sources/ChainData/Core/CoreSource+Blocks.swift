import Bitcoin
import ByteCodec

/// Where transactions are in the chain, and when blocks were made.
extension CoreSource {
    /// How many outputs of one transaction are asked about.
    private static let mostOutputs = 20

    /// From the transactions' unspent outputs, the mempool, and whether the coins that they spend are unspent: all that
    /// a node without an index knows of others' transactions. With a wallet, what it lists comes first; it lists what
    /// the node had once. One whose first outputs are all spent is left out; one that a block takes during the request
    /// may be said to be in none yet.
    func heights(of sought: [SoughtTransaction]) async throws(ChainError) -> [TransactionID: TransactionHeight] {
        guard !sought.isEmpty else { return [:] }
        let ids = Set(sought.map(\.id))
        var heights: [TransactionID: TransactionHeight] = [:]
        if hasWallet {
            for (id, height) in try await listedHeights() where ids.contains(id) {
                heights[id] = TransactionHeight(known: height)
            }
        }
        var requests: [(id: TransactionID, kind: Request, call: CoreCall)] = []
        for transaction in sought {
            let id = transaction.id
            requests.append((id, .mempool, CoreCall("getmempoolentry", [.string(id.description)])))
            if let coin = transaction.coin { requests.append((id, .coin, Self.unspent(coin))) }
            for index in 0..<min(transaction.outputCount, Self.mostOutputs) {
                let output = Outpoint(transactionID: id, index: UInt32(clamping: index))
                requests.append((id, .output, Self.unspent(output)))
            }
        }
        var answers = try await calls([CoreCall("getblockchaininfo")] + requests.map(\.call))[...]
        guard let information = try answers.popFirst()?.value() else { throw .malformed("there is no answer") }
        let (tip, last) = (try information.height("blocks"), try information.text("bestblockhash"))
        for ((id, kind, _), answer) in zip(requests, answers) {
            // Not in the mempool.
            if case .refusal(-5, _) = answer { continue }
            let value = try answer.value()
            if kind == .mempool {
                heights[id] = .waiting
            } else if !value.isNull, try value.text("bestblock") == last {
                if kind == .output {
                    heights[id] = .block(try Self.height(value, tip: tip))
                } else {
                    // An unspent coin does not show that the node ever saw what is to spend it.
                    heights[id] = heights[id] == nil ? .absent : .waiting
                }
            }
        }
        return heights
    }

    /// What is asked about a transaction.
    private enum Request {
        /// Whether it waits.
        case mempool
        /// Whether a coin that it spends is unspent.
        case coin
        /// Whether one of its outputs is.
        case output
    }

    /// Asks for an output if it is unspent.
    /// - Parameter countingMempool: whether outputs of waiting transactions count, and what those spend does not.
    static func unspent(_ coin: Outpoint, countingMempool: Bool = false) -> CoreCall {
        CoreCall(
            "gettxout",
            [.string(coin.transactionID.description), .integer(Int(coin.index)), .bool(countingMempool)])
    }

    private static func height(_ output: JSONValue, tip: Int) throws(ChainError) -> Int {
        let confirmations = try output.height("confirmations")
        guard (1...tip + 1).contains(confirmations) else { throw .malformed("an output with impossible confirmations") }
        return tip - confirmations + 1
    }

    /// As the wallet's list told them beside the transactions; without a wallet, from the blocks' headers. Blocks that the
    /// node does not have are left out.
    func blockTimes(of heights: Set<Int>) async throws(ChainError) -> [Int: UInt32] {
        guard !hasWallet else { return known.withLock { $0.blockTimes.filter { heights.contains($0.key) } } }
        guard !heights.isEmpty else { return [:] }
        let heights = heights.sorted()
        let hashes = try await calls(heights.map { CoreCall("getblockhash", [.integer($0)]) })
        let blocks = zip(heights, hashes).compactMap { height, answer -> (height: Int, hash: JSONValue)? in
            if case .result(let hash) = answer { (height, hash) } else { nil }
        }
        let headers = try await calls(blocks.map { CoreCall("getblockheader", [$0.hash]) })
        var times: [Int: UInt32] = [:]
        for (block, answer) in zip(blocks, headers) {
            guard case .result(let header) = answer else { continue }
            times[block.height] = header["time"]?.integer.flatMap { UInt32(exactly: $0) }
        }
        return times
    }
}
