import Bitcoin

/// To how many of a wallet's coins a spending path with a lock is open.
package struct SpendingPathOpening: Sendable, Hashable {
    /// How many coins there are.
    package let coins: Int
    /// How many of them it can spend in the next block; of a lock of time an estimate.
    package let openCoins: Int
    /// When it can spend another one; `nil`: it can spend all, or it is not known.
    package let next: LockOpening?
}

extension WalletOverview {
    /// To how many coins a spending path is open; `nil` for one without a lock, and if no chain server was asked.
    package func opening(of path: WalletSpendingPath) -> SpendingPathOpening? {
        guard let chain, !chain.coins.isEmpty, path.terms.isLocked else { return nil }
        let openings = chain.coins.map { path.terms.opening(confirmed: $0.height, by: chain.clock) }
        let closed = openings.filter { !($0?.isOpen(after: chain.height, at: chain.time) ?? false) }
        return SpendingPathOpening(
            coins: openings.count, openCoins: openings.count - closed.count,
            next: closed.compactMap(\.self).min(by: LockOpening.isEarlier))
    }
}

/// When a spending path with a lock opens to a coin.
package struct CoinOpening: Sendable, Hashable {
    /// The path's number, from 1.
    package let path: Int
    /// How many blocks must come first; 0: the next one may have the transaction; `nil`: a time must pass.
    package let blocks: Int?
    /// About when it opens; `nil`: it is open, or no clock has such a time.
    package let time: UnixTime?
}

extension WalletOverview {
    /// What is soon: about 30 days.
    private static let soon: Int64 = 30 * 24 * 3_600

    /// The spending paths with locks that are open to a coin, or will be within about 30 days.
    package func openings(of coin: WalletCoin) -> [CoinOpening] {
        guard let chain else { return [] }
        return spendingPaths.compactMap { path in
            guard let opening = path.terms.opening(confirmed: coin.height, by: chain.clock) else { return nil }
            guard !opening.isOpen(after: chain.height, at: chain.time) else {
                return CoinOpening(path: path.number, blocks: 0, time: nil)
            }
            guard let time = opening.time, time.seconds - Self.soon <= chain.time.seconds else { return nil }
            return CoinOpening(path: path.number, blocks: opening.block.map { $0 - chain.height - 1 }, time: time)
        }
    }
}
