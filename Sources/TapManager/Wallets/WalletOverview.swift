import Bitcoin

/// A wallet and what is known about it: the chain server's last answer, and the balance.
public struct WalletOverview: Sendable {
    /// The wallet.
    package let wallet: WatchWallet
    /// Its spending paths; empty for wallets without a policy, or with too many of them.
    package let spendingPaths: [WalletSpendingPath]
    /// When it was added.
    package let created: UnixTime
    /// When this was put together.
    package let time: UnixTime
    /// What cards signed when it was registered with them, each with the text to keep elsewhere, `nil` if it is not of this
    /// wallet; and whether a remembered card has proven the key that made it.
    package let registrations: [(stored: StoredRegistration, text: String?, isProven: Bool)]
    /// Its kit for heirs, and when spending with it was last rehearsed.
    package let drill: WalletDrill
    /// The chain server's answer; `nil` if none was asked yet.
    package let chain: WalletChain?
    /// Coins that stored transactions spend.
    package let taken: [Outpoint: TransactionID]
    /// Coins that labels freeze: automatic selection leaves them alone.
    public let frozen: Set<Outpoint>
    /// The sum of the coins that are in a block, according to the server; zero if none was asked.
    public let confirmed: Amount
    /// The sum of the coins that are in no block yet, and may still be taken back; zero if no server was asked, `nil`
    /// if the server reported none because it did not look for any.
    public let unconfirmed: Amount?
    /// The user's labels for addresses, coins and transactions.
    package let labels: LabelTexts
    /// When the blocks with its transactions were mined, according to the server.
    let mined: [TransactionID: UnixTime]

    /// - Parameter time: the current time.
    /// - Throws: `.store`; `.impossibleBalance`.
    init(
        _ opened: OpenedWallet, _ chain: WalletChain?, in store: any Store, at time: UnixTime
    ) throws(WalletError) {
        wallet = opened.wallet
        created = opened.stored.created
        drill = opened.stored.drill
        self.chain = chain
        self.time = time
        mined = chain?.minedTimes ?? [:]
        let stored: [StoredLabel]
        do throws(StoreError) {
            taken = try store.takenCoins()
            frozen = try store.frozenCoins()
            stored = try store.labels()
            labels = LabelTexts(stored)
            registrations = try opened.stored.registrations(in: store)
        } catch { throw .store(error) }
        spendingPaths = try wallet.spendingPaths(namedBy: store, KeyLabels(stored))
        guard let chain else {
            confirmed = .zero
            unconfirmed = Amount.zero
            return
        }
        guard let confirmed = chain.balance(isConfirmed: true), let unconfirmed = chain.balance(isConfirmed: false)
        else { throw .impossibleBalance }
        self.confirmed = confirmed
        self.unconfirmed = chain.knowsUnconfirmed ? unconfirmed : nil
    }

    /// The unspent coins, with amount and script; empty if no server was asked. The hash proves each amount; that a coin is
    /// unspent is the server's claim.
    public var coins: [Outpoint: TransactionOutput] {
        Dictionary(
            (chain?.coins ?? []).map { ($0.outpoint, $0.output) }, uniquingKeysWith: { first, _ in first })
    }

    /// The path of a place: that of the first key with an origin, from the master key.
    package func path(of place: WalletPlace) -> DerivationPath? { wallet.origins(of: place).first?.path }

    /// Whether a place is for the wallet's own change.
    package func isChange(_ place: WalletPlace) -> Bool {
        wallet.branches.first { $0.descriptor == place.descriptor && $0.number == place.branch }?.isChange ?? false
    }

    /// The address of a coin; `nil` for a script that has none.
    package func address(of coin: WalletCoin) -> Address? {
        Address(scriptPubKey: coin.output.scriptPubKey, network: wallet.network)
    }

    /// The label of a coin's output or, if there is none, of its address. Exactly as written, by whomever.
    package func label(of coin: WalletCoin) -> String? {
        labels.of(coin.outpoint) ?? address(of: coin).flatMap { labels.of($0) }
    }

    /// The label of a transaction, exactly as written.
    package func label(of transaction: TransactionID) -> String? {
        labels.of(transaction)
    }
}
