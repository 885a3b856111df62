import Bitcoin

/// A wallet's coins, sorted by whether they may be spent now.
struct SpendableCoins {
    /// The coins that may be spent.
    private(set) var coins: [WalletCoin] = []
    /// What stored transactions spend.
    private(set) var taken = Amount.zero
    /// What labels freeze (BIP-329, `spendable`).
    private(set) var frozen = Amount.zero
    /// What others' unconfirmed transactions pay.
    private(set) var unconfirmed = Amount.zero

    /// Sorts the coins.
    /// - Parameters:
    ///   - taken: coins that stored transactions spend.
    ///   - frozen: coins that labels freeze.
    init(
        _ chain: WalletChain, taken: [Outpoint: TransactionID], frozen: Set<Outpoint>, allowsUnconfirmed: Bool
    ) {
        let own = Self.ownUnconfirmed(chain)
        for coin in chain.coins where coin.isMature(at: chain.height) {
            if taken[coin.outpoint] != nil {
                self.taken = Self.sum(self.taken, coin)
            } else if frozen.contains(coin.outpoint) {
                self.frozen = Self.sum(self.frozen, coin)
            } else if coin.height == nil, !own.contains(coin.outpoint.transactionID), !allowsUnconfirmed {
                unconfirmed = Self.sum(unconfirmed, coin)
            } else {
                coins.append(coin)
            }
        }
    }

    /// Unconfirmed transactions whose inputs are all the wallet's own, and confirmed or from such transactions
    /// themselves: nobody else can take them back.
    static func ownUnconfirmed(_ chain: WalletChain) -> Set<TransactionID> {
        let scripts = Set(chain.scripts.map(\.script))
        let known = Dictionary(chain.transactions.map { ($0.id, $0) }, uniquingKeysWith: { first, _ in first })
        func isOwn(_ outpoint: Outpoint) -> Bool {
            guard let outputs = known[outpoint.transactionID]?.transaction.outputs,
                let index = Int(exactly: outpoint.index), outputs.indices.contains(index)
            else { return false }
            return scripts.contains(outputs[index].scriptPubKey)
        }
        var own = Set(
            chain.transactions.filter { entry in
                entry.height == nil && entry.transaction.inputs.allSatisfy { isOwn($0.outpoint) }
            }.map(\.id))
        while true {
            let unsure = own.filter { id in
                known[id]?.transaction.inputs.contains { input in
                    let parent = input.outpoint.transactionID
                    return known[parent]?.height == nil && !own.contains(parent)
                } ?? true
            }
            if unsure.isEmpty { return own }
            own.subtract(unsure)
        }
    }

    private static func sum(_ sum: Amount, _ coin: WalletCoin) -> Amount {
        coin.amount.flatMap { sum.adding($0) } ?? sum
    }
}
