import Bitcoin
import TapManager

/// A wallet with everything that is told of it: what the chain server said, which coins are spoken for, and labels.
struct WalletView {
    let wallet: WatchWallet
    let created: UnixTime
    /// `nil` when no server was asked yet.
    let chain: WalletChain?
    /// Coins that stored transactions spend.
    let taken: [Outpoint: TransactionID]
    /// Coins that a label keeps from being spent.
    let frozen: Set<Outpoint>
    let confirmed: Amount
    let unconfirmed: Amount
    private let labels: [String: String]

    /// - Throws: `Failure`: what the store throws; `.chainLied` for more money than there is.
    init(_ desk: WalletDesk, _ chain: WalletChain?) throws(Failure) {
        wallet = desk.wallet
        created = desk.stored.created
        self.chain = chain
        do throws(StoreError) {
            taken = try desk.store.takenCoins()
            frozen = try desk.store.frozenCoins()
            labels = Dictionary(
                try desk.store.labels().filter { !$0.label.isEmpty }.map { ("\($0.type) \($0.reference)", $0.label) },
                uniquingKeysWith: { first, _ in first })
        } catch { throw Failure(error) }
        guard let chain else {
            (confirmed, unconfirmed) = (.zero, .zero)
            return
        }
        guard let confirmed = chain.balance(isConfirmed: true), let unconfirmed = chain.balance(isConfirmed: false)
        else { throw Failure(.chainLied, "The coins that the server tells of are more money than there is.") }
        (self.confirmed, self.unconfirmed) = (confirmed, unconfirmed)
    }

    /// The path of a place: that of the first key that has an origin, from the master key.
    func path(of place: WalletPlace) -> String? { wallet.origins(of: place).first?.path.description }

    /// Whether a place is for the wallet's own change.
    func isChange(_ place: WalletPlace) -> Bool {
        wallet.branches.first { $0.descriptor == place.descriptor && $0.number == place.branch }?.isChange ?? false
    }

    /// What the person wrote about a coin, in one line: of the output or, if there is nothing, of its address.
    func label(of coin: WalletCoin) -> String? {
        let address = Address(scriptPubKey: coin.output.scriptPubKey, network: wallet.network)
        return (labels["output \(coin.outpoint)"] ?? address.flatMap { labels["addr \($0)"] })
            .map { TerminalText.neutralized($0) }
    }

    /// What the person wrote about a transaction, in one line.
    func label(of transaction: TransactionID) -> String? {
        labels["tx \(transaction)"].map { TerminalText.neutralized($0) }
    }

    /// For people.
    var lines: [String] {
        var lines = ["\(wallet.name) (\(wallet.network))"] + wallet.descriptors.compactMap(\.text).map { "  " + $0 }
        guard let chain else { return lines + ["  No chain server was asked yet: tapkit wallet sync \(wallet.name)"] }
        lines.append("  Confirmed:   \(confirmed)")
        lines.append("  Unconfirmed: \(unconfirmed)")
        for coin in chain.coins.sorted(by: { ($0.height ?? .max) > ($1.height ?? .max) }) { lines += self.lines(coin) }
        lines.append("  " + WalletDesk.age(of: chain) + ".")
        if !chain.coins.isEmpty {
            lines.append(
                "  That these coins were paid is the server's word; what spends coins is proven by its signatures.")
        }
        if !chain.hasHistory {
            lines.append("  This server tells only what is unspent: used and emptied addresses seem new.")
        }
        return lines
    }

    private func lines(_ coin: WalletCoin) -> [String] {
        let address = Address(scriptPubKey: coin.output.scriptPubKey, network: wallet.network)?.description
        var parts = [
            "    \(coin.amount.map(\.description) ?? "?") at \(address ?? "script \(coin.output.scriptPubKey.abbreviated)")"
        ]
        parts.append(coin.height.map { "height \($0)" } ?? "unconfirmed")
        if isChange(coin.place) { parts.append("change") }
        if frozen.contains(coin.outpoint) { parts.append("FROZEN by its label") }
        if let label = label(of: coin) { parts.append("“\(label)”") }
        if let id = taken[coin.outpoint] { parts.append("spent by the stored transaction \(id)") }
        return [parts.joined(separator: " · "), "      \(coin.outpoint)"]
    }
}
