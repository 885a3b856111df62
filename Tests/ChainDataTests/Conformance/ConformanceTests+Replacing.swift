import Bitcoin
import TestSupport
import Testing

@testable import ChainData

/// What waited once and waits no more: no server tells of it as if it still did.
extension ConformanceTests {
    @Test(arguments: Backend.allCases) func tellsOnlyWhatStillWaits(_ backend: Backend) async throws {
        let bench = try await Bench.shared()
        let source = try bench.source(backend)
        let (own, stranger) = (try Bench.newKey(), try Bench.newKey())
        let (first, second, given) = (Bench.newScript(), Bench.newScript(), Bench.newScript())
        let amount = try Bench.amount(100_000)
        let coin = SingleKey.Coin(try await bench.chain.fund(own.script, amount), amount)
        let foreign = SingleKey.Coin(try await bench.chain.fund(stranger.script, amount), amount)
        try await bench.chain.mine()
        let height = try await bench.chain.height()
        func pay(_ key: SingleKey, _ coin: SingleKey.Coin, _ script: Script, fee: Int64) throws -> Transaction {
            try key.spend([coin], to: [TransactionOutput(value: 100_000 - fee, scriptPubKey: script)])
        }
        let scripts = [own.script, first, second, given]
        // What the wallet of a node hears of, it hears of as it comes.
        _ = try await source.unspent(of: scripts)

        // Ours, and a gift that has a child; each is replaced, the gift by what pays somebody else.
        let (ours, gift) = (try pay(own, coin, first, fee: 500), try pay(stranger, foreign, given, fee: 500))
        for transaction in [ours, gift] { try await bench.chain.send(transaction) }
        try await bench.settle()
        let waiting = try await source.coins(of: scripts)
        #expect(waiting.map { $0.map(\.outpoint.transactionID) } == [[], [ours.id], [], [gift.id]])
        let instead = try pay(own, coin, second, fee: 5_000)
        try await bench.chain.send(instead)
        try await bench.chain.send(try pay(stranger, foreign, Bench.newScript(), fee: 5_000))
        try await bench.settle()

        for isMined in [false, true] {
            if isMined {
                try await bench.chain.mine()
                try await bench.settle()
            }
            let found = isMined ? try await bench.chain.height() : nil
            let coins = try await source.coins(of: scripts)
            #expect(coins.map { $0.map(\.outpoint.transactionID) } == [[], [], [instead.id], []])
            #expect(coins.joined().map(\.height) == [found])
            guard source.features.contains(.histories) else { continue }
            let last = HistoryEntry(transactionID: instead.id, height: found)
            let histories = try await source.histories(of: scripts)
            #expect(histories[0] == [HistoryEntry(transactionID: coin.outpoint.transactionID, height: height), last])
            #expect(histories[1...] == [[], [last], []])
        }
        await source.close()
    }
}
