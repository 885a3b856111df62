import Bitcoin
import Testing
import TextLayout

@testable import TapKitCLI
@testable import TapManager

@Suite struct WalletTableTests {
    /// A wallet that no server was asked about: nothing is unknown without a header that says what.
    @Test(arguments: [50, 80]) func aWalletThatWasNeverSynchronized(_ width: Int) {
        let wallet = StoredWallet(name: "savings", network: .regtest, descriptors: [], created: UnixTime(seconds: 0))
        let table = WalletTable.table(
            [ManagerSnapshot.Wallet(stored: wallet, synchronization: nil)], now: UnixTime(seconds: 9))
        #expect(
            table.lines(width: width) == [
                "WALLET   NETWORK  SYNCHRONIZED", "savings  regtest  never synchronized",
            ])
    }

    private static let now = UnixTime(seconds: 9_000)

    private func wallet(
        _ network: Network, unconfirmed: Int64 = 0, knowsUnconfirmed: Bool = true
    ) throws -> ManagerSnapshot.Wallet {
        let id: TransactionID = try #require(TransactionID([UInt8](repeating: 1, count: 32)))
        let coins = [(100_000, 7), (unconfirmed, nil)].enumerated().map { index, coin in
            WalletCoin(
                outpoint: Outpoint(transactionID: id, index: UInt32(index)),
                output: TransactionOutput(value: coin.0, scriptPubKey: Script([0x51])),
                place: WalletPlace(descriptor: 0, branch: 0, index: 0), height: coin.1, isCoinbase: false)
        }
        let chain = WalletChain(
            network: network, server: "esplora:http://127.0.0.1:3002", height: 100, time: UnixTime(seconds: 8_940),
            hasHistory: true, areSpendsProven: true, knowsUnconfirmed: knowsUnconfirmed, scripts: [], transactions: [],
            coins: coins)
        return ManagerSnapshot.Wallet(
            stored: StoredWallet(
                name: "savings", network: network, descriptors: [], created: UnixTime(seconds: 0)),
            synchronization: WalletSynchronization(chain))
    }

    /// Nobody mistakes a test network's coins for money, and nothing is said about what is not there.
    @Test func amountsNameTheirNetwork() throws {
        let lines = WalletTable.table([try wallet(.regtest), try wallet(.main)], now: Self.now).lines(width: 160)
        #expect(lines.count == 3 && !lines[0].contains("UNCONFIRMED"))
        #expect(lines[1].contains(" 0.00100000 regtest BTC ") && lines[2].contains("   0.00100000 BTC "))
    }

    /// A server that did not look is no reason to say that nothing is on its way.
    @Test func whatNobodyLookedForIsUnknown() throws {
        let wallets = try [false, true].map { try wallet(.regtest, knowsUnconfirmed: $0) }
        let lines = WalletTable.table(wallets, now: Self.now).lines(width: 160)
        #expect(lines.count == 3 && lines[0].contains("UNCONFIRMED"))
        #expect(lines[1].contains("unknown") && !lines[2].contains("unknown"))
        #expect(!lines[1].contains("impossible"))
    }

    /// What is on its way is shown beside what is confirmed, on a usual terminal, too.
    @Test(arguments: Network.allCases) func bothAmountsFit(_ network: Network) throws {
        let table = WalletTable.table([try wallet(network, unconfirmed: 2_000)], now: Self.now)
        let lines = table.lines(width: 80)
        #expect(lines.count == 2 && lines[0].contains("  UNCONFIRMED"), "\(lines)")
        #expect(lines.allSatisfy { TextWidth.columns(of: $0) <= 80 } && lines[1].contains("0.00002000"))
    }
}
