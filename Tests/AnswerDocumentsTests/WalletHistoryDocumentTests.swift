import Bitcoin
import FlowSupport
import TestSupport
import Testing

@testable import AnswerDocuments
@testable import TapManager

/// What a program learns of what a wallet received and spent.
@Suite struct WalletHistoryDocumentTests {
    @Test func aPaymentIsTold() async throws {
        let bench = try WalletBench()
        let coin = try bench.source.pay(bench.script(0, 0), 10_000, salt: 1, height: 100)
        let payment = try bench.spending(
            [coin], [WalletBench.output(3_000), WalletBench.output(6_000, bench.script(1, 0))])
        bench.source.add(payment, height: nil)
        let chain = try await bench.chain()
        let manager = CardManager(store: MemoryStore(), clock: { UnixTime(seconds: 1) })
        let descriptors = try bench.wallet.descriptors.map { try #require($0.text) }
        let opened = try await manager.addWallet(named: "w", of: .parsing(descriptors), network: .regtest).wallet
        let told = WalletHistoryDocument(WalletHistory(chain), chain, try manager.overview(of: opened, chain))
        #expect(told.name == "w" && told.height == chain.height && told.knowsHistory)
        #expect(told.transactions.map(\.txid) == ["\(payment.id)", "\(coin.transactionID)"])
        #expect(told.transactions.map(\.receivedSat) == [6_000, 10_000])
        #expect(told.transactions.map(\.spentSat) == [10_000, 0])
        #expect(told.transactions.map(\.netSat) == [-4_000, 10_000])
        #expect(told.transactions.map(\.balanceSat) == [6_000, 10_000])
        #expect(told.transactions.map(\.feeSat) == [1_000, nil])
        #expect(told.transactions.map(\.height) == [nil, 100] && told.transactions.map(\.confirmed) == [false, true])
        #expect(told.transactions.map(\.confirmations) == [0, chain.height - 99])
    }
}
