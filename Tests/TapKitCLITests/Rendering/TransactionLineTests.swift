import Bitcoin
import Testing

@testable import TapKitCLI
@testable import TapManager

@Suite struct TransactionLineTests {
    /// Amounts are written as everywhere else, with their network.
    @Test(arguments: [
        (Network.main, "0.01898540 BTC"), (.regtest, "0.01898540 regtest BTC"), (.test, "0.01898540 test BTC"),
    ])
    func theAmountNamesItsNetwork(_ network: Network, _ amount: String) throws {
        let id: TransactionID = try #require(TransactionID([UInt8](repeating: 1, count: 32)))
        let time = UnixTime(seconds: 1_000)
        let summary = TransactionSummary(
            id: id, network: nil, wallet: nil, note: "", amount: Amount(satoshis: 1_898_540),
            fee: Amount(satoshis: 282), signedBy: [], missing: 1, isComplete: false, created: time, updated: time)
        #expect(
            TransactionLine(summary, on: network, now: time).lines == [
                "\(id)", "  unsigned · outputs \(amount) · fee 282 sat · 1 signature missing · just now",
            ])
    }
}
