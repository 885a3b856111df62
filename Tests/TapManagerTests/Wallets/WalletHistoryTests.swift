import Bitcoin
import FlowSupport
import TestSupport
import Testing

@testable import TapManager

/// What a wallet held after each of its transactions.
@Suite struct WalletHistoryTests {
    /// Servers name transactions of one block in any order, and ids are random: what spends comes after what it spends.
    @Test(arguments: [UInt32](1...8), [100, nil])
    func withinABlockNothingIsSpentBeforeItIsThere(_ salt: UInt32, _ height: Int?) async throws {
        let bench = try WalletBench()
        let coin = try bench.source.pay(bench.script(0, 0), 10_000, salt: salt, height: height)
        let first = try bench.spending([coin], [WalletBench.output(9_000, bench.script(1, 0))])
        bench.source.add(first, height: height)
        let second = try bench.spending(
            [Outpoint(transactionID: first.id, index: 0)],
            [WalletBench.output(3_000), WalletBench.output(5_000, bench.script(1, 1))])
        bench.source.add(second, height: height)
        let history = WalletHistory(try await bench.chain())
        #expect(history.entries.map(\.id) == [second.id, first.id, coin.transactionID])
        #expect(history.balances?.map(\.satoshis) == [5_000, 9_000, 10_000])
    }

    /// A server that puts a spend before what it spends is not believed that money was there.
    @Test func whatDoesNotAddUpHasNoBalances() async throws {
        let bench = try WalletBench()
        let coin = try bench.source.pay(bench.script(0, 0), 10_000, salt: 1, height: 150)
        bench.source.add(try bench.spending([coin], [WalletBench.output(9_000)]), height: 120)
        let history = WalletHistory(try await bench.chain())
        #expect(history.entries.count == 2 && history.balances == nil)
    }

    @Test func withoutHistoriesThereAreNoBalances() async throws {
        let bench = try WalletBench(over: FakeChain(features: []))
        try bench.source.pay(bench.script(0, 0), 10_000, salt: 1)
        let history = WalletHistory(try await bench.chain())
        #expect(history.entries.count == 1 && history.balances == nil)
        #expect(WalletHistory(try await WalletBench().chain()).balances == [])
    }
}
