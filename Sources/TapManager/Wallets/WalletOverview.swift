import Bitcoin

/// A wallet with what is known of it: what the chain server said last, and how much that is.
public struct WalletOverview: Sendable {
    /// The wallet.
    package let wallet: WatchWallet
    /// When it was added.
    package let created: UnixTime
    /// What a chain server said; `nil` when none was asked yet.
    package let chain: WalletChain?
    /// Coins that stored transactions spend.
    package let taken: [Outpoint: TransactionID]
    /// Coins that a label keeps from being spent.
    package let frozen: Set<Outpoint>
    /// What is unspent and in a block; zero when no server was asked.
    public let confirmed: Amount
    /// What is unspent and in no block yet.
    public let unconfirmed: Amount
    /// What the person wrote about addresses, coins and transactions.
    package let labels: LabelTexts

    /// - Throws: `.store`; `.impossibleBalance`.
    init(_ opened: OpenedWallet, _ chain: WalletChain?, in store: any Store) throws(WalletError) {
        wallet = opened.wallet
        created = opened.stored.created
        self.chain = chain
        do throws(StoreError) {
            taken = try store.takenCoins()
            frozen = try store.frozenCoins()
            labels = LabelTexts(try store.labels())
        } catch { throw .store(error) }
        guard let chain else {
            (confirmed, unconfirmed) = (.zero, .zero)
            return
        }
        guard let confirmed = chain.balance(isConfirmed: true), let unconfirmed = chain.balance(isConfirmed: false)
        else { throw .impossibleBalance }
        (self.confirmed, self.unconfirmed) = (confirmed, unconfirmed)
    }

    /// The path of a place: that of the first key that has an origin, from the master key.
    package func path(of place: WalletPlace) -> DerivationPath? { wallet.origins(of: place).first?.path }

    /// Whether a place is for the wallet's own change.
    package func isChange(_ place: WalletPlace) -> Bool {
        wallet.branches.first { $0.descriptor == place.descriptor && $0.number == place.branch }?.isChange ?? false
    }

    /// The address of a coin; `nil` for a script that has none.
    package func address(of coin: WalletCoin) -> Address? {
        Address(scriptPubKey: coin.output.scriptPubKey, network: wallet.network)
    }

    /// What the person wrote about a coin: of the output or, if there is nothing, of its address. As it was written, by whomever.
    package func label(of coin: WalletCoin) -> String? {
        labels.of(coin.outpoint) ?? address(of: coin).flatMap { labels.of($0) }
    }

    /// What the person wrote about a transaction, as it was written.
    package func label(of transaction: TransactionID) -> String? {
        labels.of(transaction)
    }
}
