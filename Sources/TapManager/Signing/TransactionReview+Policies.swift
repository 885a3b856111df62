import Bitcoin

/// What the store knows of the policies of a transaction's inputs.
extension TransactionReview {
    /// Notes when the closed spending paths open, as far as the coins are known.
    mutating func learnOpenings(of chains: [WalletChain], at now: UnixTime) {
        let coins = chains.flatMap { chain in
            let mined = chain.minedTimes
            return chain.coins.map { ($0.outpoint, (height: $0.height, mined: mined[$0.outpoint.transactionID])) }
        }
        let known = Dictionary(coins) { first, _ in first }
        let clock = clock(at: now)
        for policy in policies.indices {
            let coins = policies[policy].coins.map { known[$0.outpoint] }
            for path in policies[policy].paths.indices where !policies[policy].paths[path].isOpen {
                let terms = policies[policy].paths[path].terms
                let openings = coins.compactMap { terms.opening(confirmed: $0?.height, mined: $0?.mined, by: clock) }
                guard openings.count == coins.count else { continue }
                policies[policy].paths[path].opening = .last(of: openings)
            }
        }
    }

    /// Takes from a stored wallet whose keys they are, for the policies of its coins alone: a PSBT names keys as it likes.
    /// They are known by what people call them.
    ///
    /// A coin is the wallet's if the wallet's descriptor gives its script, where a chain server found the coin, or where the PSBT
    /// says: the paths are then those of the descriptor, in its order. Taproot's are in the order of the PSBT, so they keep the
    /// names that it gives.
    /// - Parameter coins: those that a chain server has found.
    mutating func learnKeys(of stored: StoredWallet, _ coins: [WalletCoin], in store: some Store) {
        guard let wallet = stored.asRegistered, let paths = try? wallet.spendingPaths(namedBy: store), !paths.isEmpty
        else { return }
        let places = Dictionary(coins.map { ($0.outpoint, $0.place) }) { first, _ in first }
        let addresses = Dictionary(inputs.map { ($0.outpoint, $0.address) }) { first, _ in first }
        func isOwn(_ coin: ReviewedPolicy.Coin) -> Bool {
            guard let address = addresses[coin.outpoint] else { return false }
            let claimed = wallet.branches.lazy.flatMap { branch in
                coin.indexes.lazy.map { branch.place(branch.isRanged ? $0 : 0) }
            }
            return ([places[coin.outpoint]].compactMap(\.self) + Array(claimed)).contains { place in
                (try? wallet.script(at: place)).map { Address(scriptPubKey: $0, network: network) == address } ?? false
            }
        }
        let own = policies.indices.filter { index in
            let policy = policies[index]
            return !policy.isPartial && policy.paths.count == paths.count && policy.coins.allSatisfy(isOwn)
        }
        for policy in own {
            for path in paths.indices { policies[policy].paths[path].terms = paths[path].terms }
        }
        merge(own)
    }

    /// Makes one of each of these policies that are the same now that it is known whose keys they are.
    private mutating func merge(_ indices: [Int]) {
        let indices = Set(indices)
        var places: [[ReviewedPolicy.Path]: Int] = [:]
        var merged: [ReviewedPolicy] = []
        for (index, policy) in policies.enumerated() {
            if indices.contains(index) {
                if let place = places[policy.paths] {
                    merged[place].coins += policy.coins
                    continue
                }
                places[policy.paths] = merged.count
            }
            merged.append(policy)
        }
        policies = merged
    }
}
