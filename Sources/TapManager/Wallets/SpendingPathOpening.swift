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

/// When a spending path with a lock opens to a coin.
package struct CoinOpening: Sendable, Hashable {
    /// The path's number, from 1.
    package let path: Int
    /// How many blocks must come first; 0: the next one may have the transaction.
    package let blocks: Int
}

extension WalletOverview {
    /// What is soon: about 30 days of blocks.
    private static let soon = 30 * 144

    /// The spending paths with locks in blocks that are open to a coin, or will be within about 30 days.
    package func openings(of coin: WalletCoin) -> [CoinOpening] {
        guard let chain else { return [] }
        return spendingPaths.compactMap { path in
            guard !path.path.isAlwaysOpen, path.isOpenedByBlocks, let height = path.openingHeight(of: coin) else {
                return nil
            }
            let blocks = max(0, height - chain.height - 1)
            return blocks <= Self.soon ? CoinOpening(path: path.number, blocks: blocks) : nil
        }
    }
}
