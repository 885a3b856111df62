import Bitcoin
import ByteCodec

/// With a watch-only descriptor wallet, created by its owner (`createwallet NAME true true`): scripts are added to it when they
/// are requested.
extension CoreSource {
    /// What the wallet was ever paid, as far as the node's coins and mempool still have it. What the wallet itself says
    /// of its coins would hide some: those that somebody locked, and those that a transaction spends which the node has
    /// dropped, as long as nobody abandons that one.
    func walletUnspent(of scripts: [Script]) async throws(ChainError) -> [[UnspentClaim]] {
        try await addToWallet(scripts)
        let entries = try await listed()
        let heights = try heights(in: entries)
        let outpoints = try outpoints(in: entries, paying: scripts)
        let answers = try await calls(outpoints.map { Self.unspent($0, countingMempool: true) })
        let wanted = Set(scripts)
        var found: [Script: [UnspentClaim]] = [:]
        for (outpoint, answer) in zip(outpoints, answers) {
            let coin = try answer.value()
            // Spent, or of a transaction that the node has dropped.
            guard !coin.isNull, let height = heights[outpoint.transactionID] else { continue }
            let script = Script(try coin.required("scriptPubKey").required("hex").hex("scriptPubKey"))
            guard wanted.contains(script) else { continue }
            let isWaiting = try coin.height("confirmations") == 0
            found[script, default: []].append(
                UnspentClaim(
                    outpoint: outpoint, amount: try coin.bitcoin("value"), height: isWaiting ? nil : height))
        }
        return scripts.map { found[$0] ?? [] }
    }

    /// The outputs that the wallet lists as received, each once, without those to addresses of other scripts.
    private func outpoints(in entries: [JSONValue], paying scripts: [Script]) throws(ChainError) -> [Outpoint] {
        let wanted = Set(scripts)
        // Some versions give scripts that have no address the one of their key.
        let haveAddresses = wanted.allSatisfy { Address(scriptPubKey: $0, network: network) != nil }
        var seen: Set<Outpoint> = []
        var outpoints: [Outpoint] = []
        for entry in entries where entry["category"]?.string != "send" {
            let address = entry["address"]?.string.flatMap { try? Address(parsing: $0, network: network) }
            if haveAddresses, let address, !wanted.contains(address.scriptPubKey) { continue }
            let outpoint = try Self.outpoint(entry)
            if seen.insert(outpoint).inserted { outpoints.append(outpoint) }
        }
        return outpoints
    }

    /// The wallet's transactions, matched here by the scripts of outputs and of spent outputs.
    func walletHistories(of scripts: [Script]) async throws(ChainError) -> [[HistoryEntry]] {
        try await addToWallet(scripts)
        let heights = try await walletHeights()
        let transactions = try await walletTransactions(Array(heights.keys))
        var touching: [Script: Set<TransactionID>] = [:]
        for (id, transaction) in transactions {
            for output in transaction.outputs { touching[output.scriptPubKey, default: []].insert(id) }
            for outpoint in transaction.inputs.map(\.outpoint) {
                guard let spent = transactions[outpoint.transactionID],
                    spent.outputs.indices.contains(Int(outpoint.index))
                else { continue }
                touching[spent.outputs[Int(outpoint.index)].scriptPubKey, default: []].insert(id)
            }
        }
        return scripts.map { script in
            (touching[script] ?? []).map { HistoryEntry(transactionID: $0, height: heights[$0] ?? nil) }
                .sorted {
                    ($0.height ?? .max, $0.transactionID.description) < (
                        $1.height ?? .max, $1.transactionID.description
                    )
                }
        }
    }

    /// The wallet's transactions, confirmed or waiting. A wallet keeps those that were replaced or that the
    /// node dropped, and lists them as unconfirmed; those not in the mempool no longer wait.
    private func walletHeights() async throws(ChainError) -> [TransactionID: Int?] {
        let listed = try await listedHeights()
        let unconfirmed = listed.filter { $0.value == nil }.map(\.key)
        let requests = unconfirmed.map { CoreCall("getmempoolentry", [.string($0.description)]) }
        let gone = Set(try await zip(unconfirmed, calls(requests)).filter { Self.isNotInMempool($0.1) }.map(\.0))
        guard !gone.isEmpty else { return listed }
        // A block may have arrived in between.
        let later = try await listedHeights()
        return later.filter { $0.value != nil || !gone.contains($0.key) }
    }

    private static func isNotInMempool(_ answer: CoreAnswer) -> Bool {
        if case .refusal(-5, _) = answer { true } else { false }
    }

    /// The wallet's transactions, and the heights of their blocks; `nil` for those in none.
    func listedHeights() async throws(ChainError) -> [TransactionID: Int?] { try heights(in: try await listed()) }

    /// What the wallet lists: an entry for each output of each of its transactions that it received or sent.
    private func listed() async throws(ChainError) -> [JSONValue] {
        // Without the change flag (the last one), a payment from one script to another is not listed at all.
        try await call("listsinceblock", [.string(""), .integer(1), .bool(true), .bool(false), .bool(true)])
            .required("transactions").elements("transactions")
    }

    private func heights(in entries: [JSONValue]) throws(ChainError) -> [TransactionID: Int?] {
        var heights: [TransactionID: Int?] = [:]
        var times: [Int: UInt32] = [:]
        for element in entries {
            guard let confirmations = try element.required("confirmations").integer else {
                throw .malformed("confirmations is not a number")
            }
            // Negative: it conflicts with a block.
            guard confirmations >= 0 else { continue }
            let height = confirmations == 0 ? nil : try element.height("blockheight")
            if let height { times[height] = element["blocktime"]?.integer.flatMap { UInt32(exactly: $0) } }
            heights[try element.transactionID("txid")] = .some(height)
        }
        known.withLock { [times] in $0.blockTimes.merge(times) { $1 } }
        return heights
    }

    private func walletTransactions(_ ids: [TransactionID]) async throws(ChainError) -> [TransactionID: Transaction] {
        let (kept, wanted) = (known.withLock { $0.walletTransactions }, Set(ids))
        var transactions = kept.filter { wanted.contains($0.key) }
        let missing = ids.filter { transactions[$0] == nil }
        let requests = missing.map { CoreCall("gettransaction", [.string($0.description), .bool(true)]) }
        for (id, answer) in zip(missing, try await calls(requests, batchSize: 25)) {
            transactions[id] = try Transaction(
                answer: try answer.value().required("hex").hex("a transaction"), for: id)
        }
        known.withLock { [transactions] in $0.walletTransactions = transactions }
        return transactions
    }
}
