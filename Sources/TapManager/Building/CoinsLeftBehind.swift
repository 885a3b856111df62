import Bitcoin

/// The coins of a wallet that a payment of everything leaves behind.
public struct CoinsLeftBehind: Sendable, Equatable {
    /// How many coins there are.
    package let count: Int
    /// What they are worth together, as far as known.
    package let amount: Amount
    /// How many of them stored transactions spend.
    package let taken: Int
    /// How many of the others labels freeze (BIP-329, `spendable`).
    package let frozen: Int
    /// How many of the rest are unconfirmed.
    package let unconfirmed: Int
    /// How many remain: the spending path is not open to them yet, they are freshly mined, or not worth their fee.
    package var others: Int { count - taken - frozen - unconfirmed }

    /// - Parameters:
    ///   - transaction: the payment.
    ///   - taken: coins that stored transactions spend; the payment may be one of these.
    ///   - frozen: coins that labels freeze.
    /// - Returns: `nil` if no coin stays.
    init?(of chain: WalletChain, after transaction: Transaction, taken: Set<Outpoint>, frozen: Set<Outpoint>) {
        let spent = Set(transaction.inputs.map(\.outpoint))
        let coins = chain.coins.filter { !spent.contains($0.outpoint) }
        guard !coins.isEmpty else { return nil }
        let free = coins.filter { !taken.contains($0.outpoint) }
        let movable = free.filter { !frozen.contains($0.outpoint) }
        count = coins.count
        amount = coins.reduce(.zero) { sum, coin in coin.amount.flatMap { sum.adding($0) } ?? sum }
        self.taken = coins.count - free.count
        self.frozen = free.count - movable.count
        unconfirmed = movable.count { $0.height == nil }
    }
}
