import Bitcoin
import TestSupport
import Testing

@testable import ChainData

/// A real node without a wallet whose chain grows while it scans its coins.
@Suite struct NodeScanTests {
    private static func amount(_ satoshis: Int64) throws -> Amount { try #require(Amount(satoshis: satoshis)) }

    /// A coin that a block spends is left out, its change and other payments are there, and coins are scanned once.
    @Test func blocksDuringAScanAreRead() async throws {
        // It finds transactions only where it is told that they are.
        let node = try await BitcoinNode.start(["-txindex=0"])
        let (own, other) = (try SingleKey("own"), try SingleKey("other"))
        let scripts = [own.script, other.script]
        let spent = SingleKey.Coin(try await node.fund(own.script, Self.amount(100_000)), try Self.amount(100_000))
        let kept = try await node.fund(own.script, Self.amount(70_000))
        try await node.mine()
        let height = try await node.height()
        let scan = try await NodeScan.now(scripts, by: node)

        let payment = try own.spend(
            [spent],
            to: [
                TransactionOutput(value: 60_000, scriptPubKey: other.script),
                TransactionOutput(value: 39_000, scriptPubKey: own.script),
            ])
        try await node.send(payment)
        try await node.mine()
        let paid = SingleKey.Coin(Outpoint(transactionID: payment.id, index: 0), try Self.amount(60_000))
        let next = try other.spend([paid], to: [TransactionOutput(value: 59_000, scriptPubKey: other.script)])
        try await node.send(next)
        try await node.mine()
        let waiting = try await node.fund(other.script, Self.amount(50_000))

        let change = Outpoint(transactionID: payment.id, index: 1)
        let left = Outpoint(transactionID: next.id, index: 0)
        let (coins, scanCount) = try await NodeScan.coins(of: scripts, from: node, after: [scan])
        #expect(coins.map { $0.map(\.outpoint) } == [[kept, change], [left, waiting]])
        #expect(coins.map { $0.map(\.height) } == [[height, height + 1], [height + 2, nil]])
        #expect(scanCount == 1)

        // The scan's last block is replaced, and with it all others: then coins are scanned again.
        try await node.reorganize(depth: 3)
        let (again, count) = try await NodeScan.coins(of: scripts, from: node, after: [scan])
        #expect(again.map { Set($0.map(\.outpoint)) } == [[kept, change], [left, waiting]])
        #expect(again.joined().allSatisfy { $0.height == nil })
        #expect(count == 2)
        // Blocks that are replaced again are not waited for.
        let failure = try await NodeScan.failure(of: scripts, from: node, after: [scan, scan])
        #expect(failure?.error.code == .chainNotReady && failure?.scanCount == 2)
        try await node.stop()
    }

    /// Twelve blocks are read; after more, coins are scanned again, once.
    @Test func manyBlocksAreNotRead() async throws {
        let node = try await BitcoinNode.start()
        let key = try SingleKey("many blocks")
        let early = try await NodeScan.now([key.script], by: node)
        let coin = try await node.fund(key.script, Self.amount(80_000))
        try await node.mine()
        let late = try await NodeScan.now([key.script], by: node)
        for (mined, scans, expected) in [
            (CoreSource.mostNewBlocks - 1, [early], 1), (1, [early], 2), (0, [late], 1), (0, [early, late], 2),
        ] {
            if mined > 0 { try await node.mine(mined) }
            let (coins, scanCount) = try await NodeScan.coins(of: [key.script], from: node, after: scans)
            #expect(coins.joined().map(\.outpoint) == [coin])
            #expect(scanCount == expected)
        }
        let error = await #expect(throws: ChainError.self) {
            try await NodeScan.coins(of: [key.script], from: node, after: [early, early])
        }
        #expect(error?.code == .chainNotReady)
        try await node.stop()
    }
}
