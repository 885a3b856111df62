import Bitcoin

/// Which way of a wallet's policy a transaction takes, and which coins can be spent in it.
struct WayChoice {
    /// `nil` for wallets whose policy has no ways to choose from.
    let way: SpendingWay?
    /// Those that the way is open to.
    let coins: [WalletCoin]

    /// - Parameters:
    ///   - number: the way that was asked for, from 1; `nil`: the one that costs least, of those that need no lock or, if
    ///     there is none, that are open to some coin.
    ///   - height: of the last block.
    ///   - isChosen: whether each of the coins was asked for, so that none can be left out.
    /// - Throws: `.noSuchWay`, `.notOpen`.
    init(
        _ number: Int?, of ways: [SpendingWay], for coins: [WalletCoin], height: Int, isChosen: Bool
    ) throws(CreationError) {
        let candidates: [SpendingWay]
        if let number {
            guard let way = ways.first(where: { $0.number == number }) else { throw .noSuchWay(number, of: ways.count) }
            candidates = [way]
        } else {
            let free = ways.filter(\.path.isAlwaysOpen)
            // Preimages are for whoever has them.
            let plain = ways.filter(\.path.preimages.isEmpty)
            let preferred = [plain.filter(\.path.isAlwaysOpen), plain, free, ways].map { ways in
                ways.sorted { $0.satisfactionWeight < $1.satisfactionWeight }
            }
            candidates = preferred.flatMap(\.self)
        }
        guard !candidates.isEmpty, !coins.isEmpty else {
            (way, self.coins) = (nil, coins)
            return
        }
        for way in candidates {
            let open = coins.filter { way.isOpen(to: $0, after: height) }
            guard isChosen ? open.count == coins.count : !open.isEmpty else { continue }
            (self.way, self.coins) = (way, open)
            return
        }
        let heights = candidates.flatMap { way in coins.map(way.openingHeight) }
        let first = isChosen ? heights.compactMap { $0 }.max() : heights.compactMap { $0 }.min()
        throw .notOpen(number, height: first)
    }
}

extension SpendingWay {
    /// Whether it may spend a coin in the block after the last. A way that opens at a time may be taken when it was asked
    /// for: nodes know the time, and refuse it if it is too early.
    fileprivate func isOpen(to coin: WalletCoin, after height: Int) -> Bool {
        if let opening = openingHeight(of: coin) { return opening <= height + 1 }
        guard path.older.isEmpty || coin.height != nil else { return false }
        return blocksHavePassed(for: coin, after: height)
    }

    /// Gives a transaction the locks that it needs.
    func lock(_ request: inout TransactionRequest) {
        if let sequence { request.sequence = sequence }
        guard let lockTime else { return }
        switch request.lockTime {
        // A later one is as good, if it is of the same kind.
        case .fixed(let other) where TimeLock.isDate(other) == TimeLock.isDate(lockTime):
            request.lockTime = .fixed(max(other, lockTime))
        case .discouragingFeeSniping(let tip) where !TimeLock.isDate(lockTime):
            request.lockTime = .fixed(max(lockTime, tip))
        case .fixed, .discouragingFeeSniping: request.lockTime = .fixed(lockTime)
        }
    }
}

extension WatchWallet {
    /// The ways to spend its coins; empty for wallets without miniscript. All descriptors of a sound wallet have the same.
    package var ways: [SpendingWay] {
        descriptors.lazy.map { SpendingWay.all(of: $0) }.first { !$0.isEmpty } ?? []
    }
}
