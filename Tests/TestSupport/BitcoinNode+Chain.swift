import Bitcoin
import ByteCodec
import Foundation

/// The chain: blocks and what waits for them.
extension BitcoinNode {
    /// A hundred blocks on top of those whose coins are the faucet's, and one with 400 coins made from them.
    func fillFaucet() async throws {
        let blocks = try await mine(108)
        let ids = try await calls("getblock", blocks.prefix(8).map { [$0] }).compactMap {
            (($0 as? [String: Any])?["tx"] as? [String])?.first
        }
        let coins = try ids.map { id in
            guard let id = TransactionID(parsing: id), let amount = Amount(satoshis: 5_000_000_000) else {
                throw CocoaError(.coderReadCorrupt)
            }
            return SingleKey.Coin(Outpoint(transactionID: id, index: 0), amount)
        }
        // Most are small, so that a payment's change is not what the next one spends; a few are large.
        try await send(try faucet.split(Array(coins.dropLast(3)), into: 400))
        faucet.add(coins.suffix(3))
        try await mine()
    }

    /// Mines blocks; the first takes all that waits.
    /// - Returns: their hashes, as people see them.
    @discardableResult
    public func mine(_ count: Int = 1) async throws -> [String] {
        try await call(
            "generatetodescriptor", count, "raw(\(Hex.encode(faucet.key.script.bytes)))", as: [String].self)
    }

    /// Pays a script from the faucet, unconfirmed until `mine`.
    @discardableResult
    public func fund(_ script: Script, _ amount: Amount) async throws -> Outpoint {
        let transaction = try faucet.payment(to: script, amount)
        try await send(transaction)
        return Outpoint(transactionID: transaction.id, index: 0)
    }

    /// Pays scripts, each in a transaction of its own whose output 1 it is, as in `SampleWallet.funding`; all in one block.
    public func fundings(of scripts: [Script], _ amount: Int64) async throws -> [Transaction] {
        guard let amount = Amount(satoshis: amount) else { throw CocoaError(.coderInvalidValue) }
        let transactions = try scripts.map { try faucet.payment(to: $0, amount, at: 1) }
        let answers = try await calls("sendrawtransaction", transactions.map { [Hex.encode($0.serialized())] })
        for case let error as NodeError in answers { throw error }
        try await mine()
        return transactions
    }

    /// Pays at a fee rate, block after block, until that is what the node estimates. Payments that others make
    /// afterwards count, too.
    /// - Returns: what it estimates for so many blocks.
    @discardableResult
    public func learn(_ feeRate: FeeRate, targetBlocks: Int = 6) async throws -> FeeRate {
        for _ in 0..<10 {
            for _ in 0..<8 {
                let amount = Amount(satoshis: 10_000) ?? .zero
                try await send(
                    try faucet.payment(to: faucet.key.script, amount, feeRate: feeRate.satoshisPerKiloVirtualByte))
            }
            try await mine()
            if let estimate = try await self.feeRate(targetBlocks: targetBlocks) { return estimate }
        }
        throw NodeError(code: 0, message: "The node estimates no fee rate.")
    }

    /// What the node estimates; `nil` when it has seen too little.
    public func feeRate(targetBlocks: Int) async throws -> FeeRate? {
        let answer = try await call("estimatesmartfee", targetBlocks, as: [String: Any].self)
        guard let bitcoin = answer["feerate"] as? Double else { return nil }
        return FeeRate(satoshisPerKiloVirtualByte: Int64((bitcoin * 100_000_000).rounded()))
    }

    /// Has a transaction wait for a block.
    /// - Throws: `NodeError` with the node's reason, when it does not take it.
    public func send(_ transaction: Transaction) async throws {
        try await call("sendrawtransaction", Hex.encode(transaction.serialized()))
    }

    /// Why the node would not take a transaction; `nil` when it would.
    public func refusal(of transaction: Transaction) async throws -> String? {
        let answers = try await call(
            "testmempoolaccept", [Hex.encode(transaction.serialized())], as: [[String: Any]].self)
        guard let answer = answers.first, let isAllowed = answer["allowed"] as? Bool else {
            throw NodeError(code: 0, message: "testmempoolaccept: \(answers)")
        }
        return isAllowed ? nil : answer["reject-reason"] as? String ?? "no reason"
    }

    /// Puts transactions into a block of their own without the mempool's policy; consensus alone is asked.
    @discardableResult
    public func mine(_ transactions: [Transaction]) async throws -> String {
        try await call(
            "generateblock", "raw(\(Hex.encode(faucet.key.script.bytes)))",
            transactions.map { Hex.encode($0.serialized()) }, as: [String: Any].self
        )["hash"] as? String ?? ""
    }

    /// Replaces the last blocks by empty ones, one more; their transactions wait again.
    public func reorganize(depth: Int) async throws {
        let first = try await call("getblockhash", try await height() - depth + 1, as: String.self)
        try await call("invalidateblock", first)
        for _ in 0...depth {
            // Somebody else's coin: within a second the same block could come again.
            let number = blocksReplaced.withLock { number in
                number += 1
                return number
            }
            let script = "6a04" + String(format: "%08x", number)
            try await call("generateblock", "raw(\(script))", [String]())
        }
    }

    /// The height of the last block.
    public func height() async throws -> Int { try await call("getblockcount", as: Int.self) }

    /// The hash of the last block, as people see it.
    public func bestBlockHash() async throws -> String { try await call("getbestblockhash", as: String.self) }

    /// The ids of what waits for a block.
    public func mempool() async throws -> [TransactionID] {
        try await call("getrawmempool", as: [String].self).compactMap { TransactionID(parsing: $0) }
    }

    /// Any transaction, in the mempool or in a block.
    public func transaction(_ id: TransactionID) async throws -> Transaction {
        try Self.transaction(try await call("getrawtransaction", id.description))
    }

    /// Transactions that wait for a block.
    public func waiting() async throws -> [Transaction] {
        let ids = try await mempool()
        let answers = try await calls("getrawtransaction", ids.map { [$0.description] })
        // One that has been replaced or mined meanwhile waits no more.
        return answers.compactMap { try? Self.transaction($0) }
    }

    private static func transaction(_ answer: Any) throws -> Transaction {
        guard let text = answer as? String else { throw CocoaError(.coderReadCorrupt) }
        return try Transaction(serialized: Hex.decode(text))
    }

    /// Makes an empty watch-only wallet.
    public func makeWallet(_ name: String) async throws { try await call("createwallet", name, true, true) }

    /// Makes a wallet with keys of its own.
    public func makeWalletWithKeys(_ name: String) async throws { try await call("createwallet", name) }
}
