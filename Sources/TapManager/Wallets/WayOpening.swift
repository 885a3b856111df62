/// To how many of a wallet's coins a way to spend is open, as far as heights tell.
package struct WayOpening: Sendable, Hashable {
    /// How many coins there are.
    package let coins: Int
    /// How many of them can be spent in this way in the next block.
    package let openCoins: Int
    /// The first block in which another one can be; `nil`: all can be, or it is not known.
    package let nextHeight: Int?
}

extension WalletOverview {
    /// To how many coins a way is open whose locks count blocks; `nil` for other ways, and if no chain server was asked.
    package func opening(of way: SpendingWay) -> WayOpening? {
        guard let chain, !chain.coins.isEmpty, !way.path.isAlwaysOpen, way.isOpenedByBlocks else { return nil }
        let heights = chain.coins.map(way.openingHeight)
        let next = chain.height + 1
        return WayOpening(
            coins: heights.count, openCoins: heights.count { $0.map { $0 <= next } ?? false },
            nextHeight: heights.compactMap { $0 }.filter { $0 > next }.min())
    }
}
