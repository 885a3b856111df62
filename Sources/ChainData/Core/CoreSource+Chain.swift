import Bitcoin
import ByteCodec

extension CoreSource {
    func tip() async throws(ChainError) -> ChainTip {
        let information = try await call("getblockchaininfo")
        try requireSynced(information)
        let hash = try Self.blockHash("bestblockhash", of: information)
        // Versions before 23 do not give the time.
        let time = information["time"]?.integer.flatMap { UInt32(exactly: $0) }
        return ChainTip(height: try information.height("blocks"), blockHash: hash, time: time)
    }

    func histories(of scripts: [Script]) async throws(ChainError) -> [[HistoryEntry]] {
        guard hasWallet else {
            throw .unsupported(
                "Bitcoin Core has histories only for a watch-only wallet: use core:URL/wallet/NAME")
        }
        return try await walletHistories(of: scripts)
    }

    func unspent(of scripts: [Script]) async throws(ChainError) -> [[UnspentClaim]] {
        hasWallet ? try await walletUnspent(of: scripts) : try await scannedUnspent(of: scripts)
    }

    /// Nodes with a transaction index, or with the transaction in the mempool, answer by id. Others need the block, which is
    /// known after `unspent`; a wallet knows its own transactions.
    func transactions(_ ids: [TransactionID]) async throws(ChainError) -> [TransactionID: Transaction] {
        let ids = Array(Set(ids))
        var transactions: [TransactionID: Transaction] = [:]
        var missing: [TransactionID] = []
        let requests = ids.map { CoreCall("getrawtransaction", [.string($0.description), .bool(false)]) }
        for (id, answer) in zip(ids, try await calls(requests, batchSize: 25)) {
            if case .refusal(-5, _) = answer {
                missing.append(id)
            } else {
                transactions[id] = try Transaction(answer: try answer.value().hex("a transaction"), for: id)
            }
        }
        for id in missing { transactions[id] = try await unindexed(id) }
        return transactions
    }

    private func unindexed(_ id: TransactionID) async throws(ChainError) -> Transaction {
        if hasWallet {
            let answer = try await call("gettransaction", [.string(id.description), .bool(true)])
            return try Transaction(answer: try answer.required("hex").hex("a transaction"), for: id)
        }
        guard let height = known.withLock({ $0.heights[id] }) else {
            throw .unsupported("the node has no transaction index (txindex=1) and cannot find \(id)")
        }
        let block = try await call("getblockhash", [.integer(height)])
        let request = CoreCall("getrawtransaction", [.string(id.description), .bool(false), block])
        guard let answer = try await calls([request]).first else { throw .malformed("there is no answer") }
        if case .refusal(-1, let message) = answer {
            throw .unsupported("the node has deleted the block of \(id) and cannot give it: \(message)")
        }
        return try Transaction(answer: try answer.value().hex("a transaction"), for: id)
    }

    func feeRate(targetBlocks: Int) async throws(ChainError) -> FeeRate? {
        let target = min(max(targetBlocks, FeeRate.targets.lowerBound), FeeRate.targets.upperBound)
        guard let rate = try await call("estimatesmartfee", [.integer(target)])["feerate"] else { return nil }
        return try FeeRate.estimate(try rate.satoshisPerKiloVirtualByte("feerate"))
    }

    /// The higher of the node's relay minimum and its mempool's current minimum.
    func minimumFeeRate() async throws(ChainError) -> FeeRate {
        let information = try await call("getmempoolinfo")
        var highest: Int64 = 0
        for key in ["mempoolminfee", "minrelaytxfee"] {
            highest = max(highest, try information.required(key).satoshisPerKiloVirtualByte(key))
        }
        return try FeeRate.minimum(highest)
    }

    func broadcast(_ transaction: Transaction) async throws(ChainError) -> TransactionID {
        let id = transaction.id
        let text = JSONValue.string(Hex.encode(transaction.serialized()))
        let verdicts = try await Self.notDecoded { () throws(ChainError) in
            try await self.calls([CoreCall("testmempoolaccept", [.array([text])])])
        }
        guard let verdict = try verdicts.elements("a verdict").first,
            let isAllowed = try verdict.required("allowed").bool
        else { throw .malformed("a verdict without allowed") }
        if !isAllowed {
            let reason = try verdict.text("reject-reason")
            guard Rejection.isAlreadyKnown(reason) else { throw .rejected(reason: ServerText(reason)) }
            return id
        }
        switch try await calls([CoreCall("sendrawtransaction", [text])]).first {
        case .result(let value):
            guard value.string.flatMap({ TransactionID(parsing: $0) }) == id else {
                throw .liar("the node reports that it sent a transaction other than \(id)")
            }
        case .refusal(-27, _): break
        case .refusal(_, let message) where Rejection.isAlreadyKnown(message.description): break
        case .refusal(let code, let message) where (-26...(-22)).contains(code): throw .rejected(reason: message)
        case .refusal(_, let message): throw .serverError(status: nil, message: message)
        case nil: throw .malformed("there is no answer")
        }
        return id
    }

    /// A transaction that the node cannot even parse counts as rejected.
    private static func notDecoded(
        _ calls: () async throws(ChainError) -> [CoreAnswer]
    ) async throws(ChainError) -> JSONValue {
        guard let answer = try await calls().first else { throw .malformed("there is no answer") }
        if case .refusal(-22, let message) = answer { throw .rejected(reason: message) }
        return try answer.value()
    }
}
