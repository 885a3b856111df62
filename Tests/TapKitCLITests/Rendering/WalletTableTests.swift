import Testing

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
}
