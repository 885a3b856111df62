import Bitcoin

/// The question whether a wallet is the right one, before a card registers it. From then on the card's signature vouches
/// for what was shown here: the name, the spending paths, every key, and the first address.
public struct RegistrationQuestion: Sendable {
    /// The card that registers it.
    package let signer: CardAtHand
    /// The wallet's name.
    package let name: String
    /// The wallet.
    package let wallet: WatchWallet
    /// Its spending paths, with what people call their keys; empty for wallets without a policy.
    package let spendingPaths: [WalletSpendingPath]
    /// Its first address for receiving; `nil` if it has none.
    package let firstAddress: Address?
    /// The fingerprint that the store remembers of the card; `nil`: none. The card proves it, and its keys, before it signs.
    package let fingerprint: Fingerprint?

    /// - Throws: `.store`.
    init(
        _ wallet: WatchWallet, signer: CardAtHand, fingerprint: Fingerprint?, namedBy store: any Store
    ) throws(WalletError) {
        (self.wallet, self.signer, name, self.fingerprint) = (wallet, signer, wallet.name, fingerprint)
        firstAddress = wallet.firstAddress
        spendingPaths = try wallet.spendingPaths(namedBy: store)
    }
}
