import Bitcoin
import TapManager
import TextLayout

/// Wallets as a table for the user, with what a chain server last reported about each.
enum WalletTable {
    /// One row for each.
    static func table(_ wallets: [ManagerSnapshot.Wallet], now: UnixTime) -> Table {
        var table = Table([
            .init(title: "WALLET", least: 12), .init(title: "NETWORK"), .init(title: "CONFIRMED"),
            .init(title: "UNCONFIRMED"), .init(title: "SYNCHRONIZED"),
            .init(title: "SERVER", least: 16, isOptional: true),
        ])
        for wallet in wallets {
            let last = wallet.synchronization
            table.add([
                .text(wallet.stored.name), .whole(wallet.stored.network.rawValue), .amount(words(last, \.confirmed)),
                .amount(words(last, \.unconfirmed)),
                .whole(last.map { TransactionLine.age(now.seconds - $0.time.seconds) } ?? "never synchronized"),
                .text(last?.server),
            ])
        }
        return table
    }

    private static func words(
        _ last: WalletSynchronization?, _ amount: KeyPath<WalletSynchronization, Amount?>
    ) -> String? {
        // Without a synchronization there is nothing to know; a column without amounts is left out.
        last.map { $0[keyPath: amount]?.description ?? "impossible" }
    }
}
