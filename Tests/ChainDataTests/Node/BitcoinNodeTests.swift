import Bitcoin
import Foundation
import TestSupport
import Testing

/// The real node that other tests rely upon.
@Suite struct BitcoinNodeTests {
    private func amount(_ satoshis: Int64) throws -> Amount { try #require(Amount(satoshis: satoshis)) }

    private func spend(_ key: SingleKey, _ coin: Outpoint, _ amount: Int64, fee: Int64 = 1_000) throws -> Transaction {
        try key.spend(
            [SingleKey.Coin(coin, try self.amount(amount))],
            to: [TransactionOutput(value: amount - fee, scriptPubKey: key.script)])
    }

    @Test func itIsANodeThatVerifies() async throws {
        let node = try await BitcoinNode.start()
        #expect(try await node.height() == 109)
        let key = try SingleKey("own")
        let coin = try await node.fund(key.script, try amount(100_000))
        #expect(try await node.mempool() == [coin.transactionID])
        try await node.mine()
        #expect(try await node.mempool().isEmpty)
        #expect(try await node.transaction(coin.transactionID).outputs[0].value == 100_000)

        let good = try spend(key, coin, 100_000)
        var unsigned = good
        unsigned.inputs[0].witness = []
        var altered = good
        altered.outputs[0] = TransactionOutput(value: 98_000, scriptPubKey: key.script)
        for (transaction, words) in [(unsigned, "Witness program hash mismatch"), (altered, "must be zero")] {
            #expect(try await node.refusal(of: transaction)?.contains("script-verify-flag") == true)
            let error = await #expect(throws: NodeError.self) { try await node.send(transaction) }
            #expect(error?.code == -26 && error?.message.contains(words) == true, "\(error?.message ?? "")")
        }
        #expect(try await node.refusal(of: good) == nil)
        // Standardness counts, although this is regtest.
        let dust = try spend(key, coin, 100_000, fee: 99_900)
        #expect(try await node.refusal(of: dust) == "dust")
        try await node.send(good)
        #expect(try await node.waiting() == [good])

        // Blocks are replaced, and what they had waits again.
        try await node.mine()
        let (height, tip) = (try await node.height(), try await node.bestBlockHash())
        try await node.reorganize(depth: 1)
        #expect(try await node.height() == height + 1)
        #expect(try await node.bestBlockHash() != tip)
        #expect(try await node.mempool() == [good.id])
        try await node.reorganize(depth: 2)
        #expect(try await node.height() == height + 2)

        // What nobody would relay can still be mined.
        try await node.mine([good])
        #expect(try await node.mempool().isEmpty)
        try await node.mine([try spend(key, Outpoint(transactionID: good.id, index: 0), 99_000, fee: 98_900)])

        // It ends and comes again with its chain.
        let last = try await node.height()
        try await node.stop()
        #expect(!node.isRunning)
        let again = try await node.restarted()
        #expect(try await again.height() == last)
        try await again.kill()
        #expect(!again.isRunning)
    }

    @Test func itHasManyCoins() async throws {
        let node = try await BitcoinNode.shared()
        // More than the 25 that may build upon each other in the mempool.
        for index in 0..<60 { try await node.fund(try SingleKey("many \(index)").script, try amount(10_000)) }
        try await node.fund(try SingleKey("much").script, try amount(4_900_000_000))
        try await node.mine()
        try await node.makeWalletWithKeys("many coins")
        let addresses = try await node.calls("getnewaddress", [[], []], wallet: "many coins")
        #expect(addresses.compactMap { $0 as? String }.allSatisfy { $0.hasPrefix("bcrt1q") })
        let error = await #expect(throws: NodeError.self) { try await node.call("getbalance", wallet: "no such") }
        #expect(error?.code == -18)
    }
}
