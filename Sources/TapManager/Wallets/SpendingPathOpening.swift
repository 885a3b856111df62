/// To how many of a wallet's coins a spending path is open, as blocks tell.
package struct SpendingPathOpening: Sendable, Hashable {
    /// How many coins there are.
    package let coins: Int
    /// How many of them it can spend in the next block.
    package let openCoins: Int
    /// The first block in which it can spend another one; `nil`: it can spend all, or it is not known.
    package let nextHeight: Int?
}

extension WalletOverview {
    /// To how many coins a spending path is open that blocks open; `nil` for others, and if no chain server was asked.
    package func opening(of path: WalletSpendingPath) -> SpendingPathOpening? {
        guard let chain, !chain.coins.isEmpty, !path.path.isAlwaysOpen, path.isOpenedByBlocks else { return nil }
        let next = chain.height + 1
        let heights = chain.coins.map(path.openingHeight)
        return SpendingPathOpening(
            coins: heights.count, openCoins: heights.count { $0.map { $0 <= next } ?? false },
            nextHeight: heights.compactMap(\.self).filter { $0 > next }.min())
    }
}
