import Bitcoin

/// To how many of a wallet's coins a spending path with a lock is open.
package struct SpendingPathOpening: Sendable, Hashable {
    /// How many coins there are.
    package let coins: Int
    /// How many of them it can spend in the next block; of a lock of time an estimate.
    package let openCoins: Int
    /// When it can spend another one; `nil`: it can spend all, or it is not known.
    package let next: LockOpening?
    /// Whether it is open to some by an estimate, as a lock is one of time: nodes judge.
    package let isEstimated: Bool
}

extension WalletOverview {
    /// To how many coins a spending path is open; `nil` for one without a lock, and if no chain server was asked.
    package func opening(of path: WalletSpendingPath) -> SpendingPathOpening? {
        guard let chain, !chain.coins.isEmpty, path.terms.isLocked else { return nil }
        let openings = chain.coins.map { opening(of: path, to: $0, chain) }
        let closed = openings.filter { !($0?.isOpen(after: chain.height, at: time) ?? false) }
        let openCoins = openings.count - closed.count
        return SpendingPathOpening(
            coins: openings.count, openCoins: openCoins,
            next: closed.compactMap(\.self).min(by: LockOpening.isEarlier),
            isEstimated: openCoins > 0 && !path.terms.isOpenedByBlocks)
    }

    private func opening(of path: WalletSpendingPath, to coin: WalletCoin, _ chain: WalletChain) -> LockOpening? {
        path.terms.opening(confirmed: coin.height, mined: mined[coin.outpoint.transactionID], by: chain.clock)
    }
}

/// When a spending path with a lock opens to a coin.
package struct CoinOpening: Sendable, Hashable {
    /// When that is.
    package enum When: Sendable, Hashable {
        /// The next block may have the transaction.
        case open
        /// So many blocks must come first.
        case blocks(Int, about: UnixTime)
        /// A time must have passed; whether it has, nodes judge.
        case time(about: UnixTime, isPast: Bool)
    }

    /// The path's number, from 1.
    package let path: Int
    /// When it opens.
    package let when: When
}

extension WalletOverview {
    /// What is soon: about 30 days.
    private static let soon: Int64 = 30 * 24 * 3_600

    /// The spending paths with locks that are open to a coin, or will be within about 30 days.
    package func openings(of coin: WalletCoin) -> [CoinOpening] {
        guard let chain else { return [] }
        return spendingPaths.compactMap { path in
            guard let opening = opening(of: path, to: coin, chain) else { return nil }
            let isOpen = opening.isOpen(after: chain.height, at: time)
            if isOpen, opening.block != nil { return CoinOpening(path: path.number, when: .open) }
            guard let about = opening.time, about.seconds - Self.soon <= time.seconds else { return nil }
            let when: CoinOpening.When =
                opening.block.map { .blocks($0 - chain.height - 1, about: about) }
                ?? .time(about: about, isPast: isOpen)
            return CoinOpening(path: path.number, when: when)
        }
    }
}
