import Bitcoin

/// Which spending path of a wallet's policy a transaction takes, and which coins can be spent in it.
struct SpendingPathChoice {
    /// `nil` for wallets without spending paths to choose from.
    let path: WalletSpendingPath?
    /// Those that the path is open to.
    let coins: [WalletCoin]

    /// - Parameters:
    ///   - number: the path that was asked for, from 1; `nil`: the first of `inOrder(_:)` that is open to coins of more than
    ///     what is paid, and whose preimages are known; if there is none, the first that is open to a coin.
    ///   - known: the preimages that the user has.
    ///   - height: of the last block.
    ///   - needed: what is paid, in satoshis.
    ///   - isChosen: whether each of the coins was asked for, so that none can be left out.
    /// - Throws: `.noSuchSpendingPath`, `.notOpen`.
    init(
        _ number: Int?, of paths: [WalletSpendingPath], _ known: KnownPreimages, for coins: [WalletCoin], height: Int,
        isChosen: Bool, paying needed: Int64 = 0
    ) throws(CreationError) {
        let candidates =
            number.map { number in paths.filter { $0.number == number } }
            ?? Self.inOrder(paths, known) { path in coins.allSatisfy { path.isOpen(to: $0, after: height) } }
        if let number, candidates.isEmpty { throw .noSuchSpendingPath(number, of: paths.count) }
        guard !candidates.isEmpty, !coins.isEmpty else {
            (path, self.coins) = (nil, coins)
            return
        }
        let open = candidates.compactMap { path -> (path: WalletSpendingPath, coins: [WalletCoin])? in
            let open = coins.filter { path.isOpen(to: $0, after: height) }
            return (isChosen ? open.count == coins.count : !open.isEmpty) ? (path, open) : nil
        }
        // There is a fee, too; and without its preimages no path is finished.
        let enough = open.first {
            known.missing(for: $0.path) == 0 && Self.sum($0.coins.lazy.map(\.output.value)) > needed
        }
        if let choice = enough ?? open.first {
            (path, self.coins) = choice
            return
        }
        let heights = candidates.compactMap { path in
            let heights = coins.map(path.openingHeight)
            return isChosen && heights.contains(nil)
                ? nil : isChosen ? heights.compactMap(\.self).max() : heights.compactMap(\.self).min()
        }
        throw .notOpen(number, height: heights.min())
    }

    /// The sum of values, counting a negative one as 0; a huge one where they are too large for one.
    static func sum(_ values: some Sequence<Int64>) -> Int64 {
        values.reduce(0) { min($0, .max / 2) + max(0, min($1, .max / 2)) }
    }

    /// Those whose preimages are known come first, and before all others those that take one which was given. Then those that
    /// blocks open, as whether a time has passed is not known here; those that are open to all of the coins, or else have no
    /// lock, so that a cheap path leaves no coin behind; and the cheapest.
    private static func inOrder(
        _ paths: [WalletSpendingPath], _ known: KnownPreimages, openTo isOpenToAll: (WalletSpendingPath) -> Bool
    ) -> [WalletSpendingPath] {
        let hasFree = paths.contains(where: \.path.isAlwaysOpen)
        func rank(_ path: WalletSpendingPath) -> [Int] {
            let takesGiven = path.terms.preimages.contains { known.has($0.function, $0.hash) }
            let isBehind = hasFree && !path.path.isAlwaysOpen && !isOpenToAll(path)
            return [
                known.missing(for: path), takesGiven ? 0 : 1, path.terms.isOpenedByBlocks ? 0 : 1, isBehind ? 1 : 0,
                path.satisfactionWeight, path.path.isAlwaysOpen ? 0 : 1,
            ]
        }
        return paths.map { (path: $0, rank: rank($0)) }.sorted { $0.rank.lexicographicallyPrecedes($1.rank) }
            .map(\.path)
    }
}
