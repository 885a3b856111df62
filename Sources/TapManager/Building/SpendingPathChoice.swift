import Bitcoin

/// Which spending path of a wallet's policy a transaction takes, and which coins can be spent in it.
struct SpendingPathChoice {
    /// `nil` for wallets without spending paths to choose from.
    let path: WalletSpendingPath?
    /// Those that the path is open to.
    let coins: [WalletCoin]
    /// What signing adds to the weight of each input; `nil`: what the script says. If nobody chose a path with a lock, it is left
    /// to the signers which way they go, and this is that of the dearest way which the lock leaves open.
    let satisfactionWeight: Int?

    /// - Parameters:
    ///   - number: the path that was asked for, from 1; `nil`: the first of `inOrder(_:)` that is open to coins of more than
    ///     what is paid, and whose preimages are known; if there is none, the first that is open to a coin.
    ///   - known: the preimages that the user has.
    ///   - height: of the last block.
    ///   - needed: what is paid, in satoshis.
    ///   - isChosen: whether each of the coins was asked for, so that none can be left out.
    ///   - drains: whether everything is to be spent, so that a path that is open to all comes first.
    /// - Throws: `.noSuchSpendingPath`, `.notOpen`.
    init(
        _ number: Int?, of paths: [WalletSpendingPath], _ known: KnownPreimages, for coins: [WalletCoin], height: Int,
        isChosen: Bool, paying needed: Int64 = 0, drains: Bool = false
    ) throws(CreationError) {
        let candidates =
            number.map { number in paths.filter { $0.number == number } }
            ?? Self.inOrder(paths, known, drains: drains) { path in
                coins.allSatisfy { path.isOpen(to: $0, after: height) }
            }
        if let number, candidates.isEmpty { throw .noSuchSpendingPath(number, of: paths.count) }
        guard !candidates.isEmpty, !coins.isEmpty else {
            (path, self.coins, satisfactionWeight) = (nil, coins, nil)
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
            let locks = choice.path.path.locks
            let leavesOthers = number == nil && !choice.path.path.isAlwaysOpen
            let others = paths.filter { leavesOthers && known.missing(for: $0) == 0 && $0.path.isOpen(locks) }
            satisfactionWeight = (others + [choice.path]).map(\.satisfactionWeight).max()
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

    /// Those whose preimages are known come before others. Of these: if everything is to be spent, those that are open to all
    /// coins; those that take a preimage which was given; those that are open to all coins or have no lock, so that a cheap
    /// path leaves no coin behind; those that blocks open, as whether a time has passed is not known here; the cheapest.
    private static func inOrder(
        _ paths: [WalletSpendingPath], _ known: KnownPreimages, drains: Bool,
        openTo isOpenToAll: (WalletSpendingPath) -> Bool
    ) -> [WalletSpendingPath] {
        let hasFree = paths.contains { $0.path.isAlwaysOpen && known.missing(for: $0) == 0 }
        func rank(_ path: WalletSpendingPath) -> [Int] {
            let takesGiven = path.terms.preimages.contains { known.has($0.function, $0.hash) }
            let leavesCoins = !path.path.isAlwaysOpen && (!path.terms.isOpenedByBlocks || !isOpenToAll(path))
            return [
                known.missing(for: path), drains && leavesCoins ? 1 : 0, takesGiven ? 0 : 1,
                hasFree && leavesCoins ? 1 : 0, path.terms.isOpenedByBlocks ? 0 : 1, path.satisfactionWeight,
                path.path.isAlwaysOpen ? 0 : 1,
            ]
        }
        return paths.map { (path: $0, rank: rank($0)) }.sorted { $0.rank.lexicographicallyPrecedes($1.rank) }
            .map(\.path)
    }
}
