import Bitcoin
import ByteCodec

/// Without a wallet: scans all coins, reads the blocks that arrived meanwhile, and looks at the mempool.
extension CoreSource {
    /// How often coins are scanned if the blocks after a scan cannot be counted.
    private static let mostScans = 2

    /// A scan has the coins as of its start. Blocks that arrive later are read until none has arrived while the mempool
    /// was looked at: they spend coins of the scan, and the mempool no longer has their transactions.
    /// - Throws: `.notReady` if, in each scan, blocks are replaced or more arrive than are read.
    func scannedUnspent(of scripts: [Script]) async throws(ChainError) -> [[UnspentClaim]] {
        guard !scripts.isEmpty else { return [] }
        for _ in 0..<Self.mostScans {
            var coins = try await scan(Set(scripts))
            var found: [Script: [UnspentClaim]]?
            while let newBlocks = try await countNewBlocks(in: &coins) {
                if newBlocks == 0, let found { return scripts.map { found[$0] ?? [] } }
                found = try await unspentWithMempool(coins)
            }
        }
        throw .notReady(
            ServerText(
                "blocks were replaced, or more than \(Self.mostNewBlocks) arrived, while the node looked for coins"))
    }

    /// The coins that no block spends, and those of the mempool, without what the mempool spends.
    private func unspentWithMempool(_ coins: CoreCoins) async throws(ChainError) -> [Script: [UnspentClaim]] {
        let confirmed = coins.unspent
        let listed = Set(confirmed.values.joined().map(\.outpoint))
        known.withLock { known in
            for script in coins.scripts { known.coins[script] = Set((confirmed[script] ?? []).map(\.outpoint)) }
            for claim in confirmed.values.joined() { known.heights[claim.outpoint.transactionID] = claim.height }
        }
        let waiting = try await unconfirmed(coins.scripts).mapValues { $0.filter { !listed.contains($0.outpoint) } }
        let all = confirmed.merging(waiting) { $0 + $1 }
        let spent = try await spentInMempool(all.values.joined().map(\.outpoint))
        return all.mapValues { $0.filter { !spent.contains($0.outpoint) } }
    }

    /// The coins in blocks.
    private func scan(_ scripts: Set<Script>) async throws(ChainError) -> CoreCoins {
        let objects = scripts.map { JSONValue.string("raw(\($0))") }
        let answer: JSONValue
        do throws(ChainError) {
            answer = try await call(
                "scantxoutset", [.string("start"), .array(objects)], timeLimit: settings.scanTimeLimit)
        } catch {
            if error == .cancelled { await endScan() }
            throw error
        }
        guard try answer.required("success").bool == true else {
            throw .serverError(status: nil, message: ServerText("the scan was aborted"))
        }
        var found: [Script: [UnspentClaim]] = [:]
        for element in try answer.required("unspents").elements("unspents") {
            let script = Script(try element.required("scriptPubKey").hex("scriptPubKey"))
            guard scripts.contains(script) else { throw .liar("a coin with a script that was not requested") }
            found[script, default: []].append(
                UnspentClaim(
                    outpoint: try Self.outpoint(element), amount: try element.bitcoin("amount"),
                    height: try element.height("height")))
        }
        return CoreCoins(found, of: scripts, at: try Self.blockHash("bestblock", of: answer))
    }

    /// How long the node may take to abort a scan.
    static let longestFarewell = Duration.seconds(1)

    /// Aborts a scan that nobody waits for any more; otherwise the node would go on, and refuse the next one meanwhile.
    /// Runs in a task that is not cancelled, and is waited for: whoever cancels may be about to end the process.
    private func endScan() async {
        _ = await Task {
            await attempt([CoreCall("scantxoutset", [.string("abort")])], Self.longestFarewell)
        }.value
    }

    static func outpoint(_ element: JSONValue) throws(ChainError) -> Outpoint {
        Outpoint(transactionID: try element.transactionID("txid"), index: try element.outputIndex("vout"))
    }

    /// Outputs of unconfirmed transactions; none when there are too many to check them all.
    func unconfirmed(_ scripts: Set<Script>) async throws(ChainError) -> [Script: [UnspentClaim]] {
        var found: [Script: [UnspentClaim]] = [:]
        for (id, transaction) in try await mempool() {
            for (index, output) in transaction.outputs.enumerated() where scripts.contains(output.scriptPubKey) {
                guard let amount = output.amount, let index = UInt32(exactly: index) else { continue }
                found[output.scriptPubKey, default: []].append(
                    UnspentClaim(outpoint: Outpoint(transactionID: id, index: index), amount: amount, height: nil))
            }
        }
        return found
    }

    private func mempool() async throws(ChainError) -> [TransactionID: Transaction] {
        var ids: Set<TransactionID> = []
        for element in try await call("getrawmempool").elements("the mempool") {
            guard let id = element.string.flatMap({ TransactionID(parsing: $0) }) else {
                throw .malformed("the mempool has an entry without an id")
            }
            ids.insert(id)
        }
        guard ids.count <= CoreKnowledge.mostUnconfirmed else {
            known.withLock { ($0.mempool, $0.isMempoolKnown) = ([:], false) }
            return [:]
        }
        var transactions = known.withLock { $0.mempool.filter { ids.contains($0.key) } }
        let new = Array(ids.subtracting(transactions.keys))
        let requests = new.map { CoreCall("getrawtransaction", [.string($0.description), .bool(false)]) }
        for (id, answer) in zip(new, try await calls(requests, batchSize: 25)) {
            // It may have left the mempool meanwhile.
            guard case .result(let value) = answer else { continue }
            transactions[id] = try Transaction(answer: try value.hex("a transaction"), for: id)
        }
        known.withLock { ($0.mempool, $0.isMempoolKnown) = (transactions, true) }
        return transactions
    }

    /// Which of these coins an unconfirmed transaction spends.
    func spentInMempool(_ outpoints: [Outpoint]) async throws(ChainError) -> Set<Outpoint> {
        var spent: Set<Outpoint> = []
        for start in stride(from: 0, to: outpoints.count, by: 1000) {
            let outputs = outpoints[start..<min(start + 1000, outpoints.count)].map {
                JSONValue.object(["txid": .string($0.transactionID.description), "vout": .integer($0.index)])
            }
            for element in try await call("gettxspendingprevout", [.array(outputs)]).elements("spent outputs") {
                if element["spendingtxid"] != nil { spent.insert(try Self.outpoint(element)) }
            }
        }
        return spent
    }
}
