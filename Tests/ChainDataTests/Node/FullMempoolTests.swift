import Bitcoin
import Foundation
import TestSupport
import Testing

@testable import ChainData

/// A node whose mempool is full: what paid least is dropped, and no longer told of.
@Suite struct FullMempoolTests {
    /// Coins for many large payments, in blocks.
    private static func coins(for rich: SingleKey, on node: BitcoinNode) async throws -> [SingleKey.Coin] {
        let much = try #require(Amount(satoshis: 50_000_000))
        var coins: [SingleKey.Coin] = []
        for _ in 0..<60 { coins.append(SingleKey.Coin(try await node.fund(rich.script, much), much)) }
        try await node.mine()
        return coins
    }

    /// Has large payments wait until the node drops a transaction that pays less.
    private static func fill(
        _ node: BitcoinNode, with coins: [SingleKey.Coin], of rich: SingleKey, until dropped: TransactionID
    ) async throws {
        // Each of 3 000 outputs: 93 000 virtual bytes, and 21 satoshis for each of them.
        var sent = 0
        for coin in coins where try await node.mempool().contains(dropped) {
            let outputs = Array(
                repeating: TransactionOutput(value: 16_000, scriptPubKey: rich.script), count: 3_000)
            do { try await node.send(try rich.spend([coin], to: outputs)) } catch let error as NodeError {
                // What is dropped next is the last one that came.
                guard error.message == "mempool full" else { throw error }
            }
            sent += 1
        }
        #expect(sent < coins.count, "never full")
    }

    /// A coin whose spend is dropped is there again, and so is one that somebody locked; a node's wallet hides both.
    @Test(arguments: [nil, "watch"] as [String?]) func whatADroppedOneSpentIsUnspent(_ wallet: String?) async throws {
        let node = try await BitcoinNode.start(["-maxmempool=5"])
        if let wallet { try await node.makeWallet(wallet) }
        let source = try ChainServer(parsing: node.coreServer(wallet: wallet)).open(network: .regtest)
        let (cheap, rich) = (try SingleKey("cheap spender"), try SingleKey("rich spender"))
        let amount = try #require(Amount(satoshis: 50_000))
        let coins = try await Self.coins(for: rich, on: node)
        _ = try await source.unspent(of: [cheap.script])
        let deposit = try await node.fund(cheap.script, amount)
        try await node.mine()
        let height = try await node.height()
        if let wallet {
            let output: [String: Any] = ["txid": deposit.transactionID.description, "vout": Int(deposit.index)]
            try await node.call("lockunspent", false, [output], wallet: wallet)
        }
        #expect(try await source.coins(of: [cheap.script]).joined().map(\.outpoint) == [deposit])

        // About 2 satoshis for each virtual byte.
        let spend = try cheap.spend(
            [SingleKey.Coin(deposit, amount)], to: [TransactionOutput(value: 49_780, scriptPubKey: rich.script)])
        try await node.send(spend)
        #expect(try await source.coins(of: [cheap.script]).joined().isEmpty)
        try await Self.fill(node, with: coins, of: rich, until: spend.id)

        let left = try await source.coins(of: [cheap.script]).joined()
        #expect(left.map(\.outpoint) == [deposit] && left.map(\.amount) == [amount] && left.map(\.height) == [height])
        if source.features.contains(.histories) {
            let entry = HistoryEntry(transactionID: deposit.transactionID, height: height)
            #expect(try await source.histories(of: [cheap.script]) == [[entry]])
        }
        await source.close()
        try await node.stop()
    }

    @Test(arguments: [nil, "watch"] as [String?]) func whatIsDroppedIsForgotten(_ wallet: String?) async throws {
        let node = try await BitcoinNode.start(["-maxmempool=5"])
        if let wallet { try await node.makeWallet(wallet) }
        let server = node.coreServer(wallet: wallet)
        let source = try ChainServer(parsing: server).open(network: .regtest)
        let (cheap, rich) = (try SingleKey("cheap"), try SingleKey("rich"))
        let amount = try #require(Amount(satoshis: 50_000))
        let coins = try await Self.coins(for: rich, on: node)

        _ = try await source.unspent(of: [cheap.script])
        let waiting = try await node.fund(cheap.script, amount)
        #expect(try await source.coins(of: [cheap.script]).joined().map(\.outpoint) == [waiting])
        let before = try await source.minimumFeeRate()

        try await Self.fill(node, with: coins, of: rich, until: waiting.transactionID)
        #expect(try await source.coins(of: [cheap.script]).joined().isEmpty)
        if source.features.contains(.histories) {
            #expect(try await source.histories(of: [cheap.script]) == [[]])
        }
        // What it now asks for is told, and whoever pays less is refused.
        let after = try await source.minimumFeeRate()
        #expect(after > before)
        let late = try node.faucet.payment(to: cheap.script, amount)
        let refused = await #expect(throws: ChainError.self) { try await source.broadcast(late) }
        #expect(refused?.code == .transactionRejected)
        await source.close()
        try await node.stop()
    }
}
