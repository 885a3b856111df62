import Bitcoin

/// An unspent output of a wallet, as the last synchronization found it.
///
/// The hash proves that a transaction with this id has the output. That the transaction is on the chain and the output
/// is unspent is the server's claim.
package struct WalletCoin: Sendable, Hashable {
    /// How many blocks a coinbase needs, including its own, before its outputs may be spent. Spec: consensus,
    /// `COINBASE_MATURITY`.
    static let coinbaseMaturity = 100

    /// What would be spent.
    package let outpoint: Outpoint
    /// Amount and script.
    package let output: TransactionOutput
    /// Where the script comes from.
    package let place: WalletPlace
    /// The height of its block; `nil` while unconfirmed.
    package let height: Int?
    /// Whether a coinbase transaction created it.
    package let isCoinbase: Bool

    /// A coin from its parts.
    package init(outpoint: Outpoint, output: TransactionOutput, place: WalletPlace, height: Int?, isCoinbase: Bool) {
        self.outpoint = outpoint
        self.output = output
        self.place = place
        self.height = height
        self.isCoinbase = isCoinbase
    }

    /// The amount; `nil` if the output claims more money than there is.
    package var amount: Amount? { output.amount }

    /// Whether the coin may be in the next block after `tip`.
    package func isMature(at tip: Int) -> Bool {
        guard isCoinbase else { return true }
        return height.map { tip - $0 + 1 >= Self.coinbaseMaturity } ?? false
    }
}
