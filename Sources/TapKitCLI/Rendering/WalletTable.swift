import Bitcoin
import FrontEndText
import TapManager
import TextLayout

/// Wallets as a table for the user, with what a chain server last reported about each.
enum WalletTable {
    /// One row for each. Amounts name their network, too, so its column may be left out.
    static func table(_ wallets: [ManagerSnapshot.Wallet], now: UnixTime) -> Table {
        var table = Table([
            .init(title: "WALLET", least: 12), .init(title: "NETWORK", isOptional: true), .init(title: "CONFIRMED"),
            .init(title: "UNCONFIRMED"), .init(title: "SYNCHRONIZED"),
            .init(title: "SERVER", least: 16, isOptional: true),
        ])
        for wallet in wallets {
            let last = wallet.synchronization
            table.add([
                .text(wallet.stored.name), .whole(wallet.stored.network.rawValue),
                .amount(words(last, last?.confirmed)),
                .amount(unconfirmed(last)),
                .whole(last.map { TransactionLine.age(now.seconds - $0.time.seconds) } ?? "never synchronized"),
                .text(last?.server),
            ])
        }
        return table
    }

    private static func unconfirmed(_ last: WalletSynchronization?) -> String? {
        guard last?.knowsUnconfirmed != false else { return "unknown" }
        return last?.unconfirmed == .zero ? nil : words(last, last?.unconfirmed)
    }

    private static func words(_ last: WalletSynchronization?, _ amount: Amount?) -> String? {
        // Without a synchronization there is nothing to know; a column without amounts is left out.
        last.map { amount?.text(on: $0.network) ?? "impossible" }
    }
}
