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
            let coins = policies[policy].coins.map { known[$0] }
            for path in policies[policy].paths.indices where !policies[policy].paths[path].isOpen {
                let terms = policies[policy].paths[path].terms
                let openings = coins.compactMap { terms.opening(confirmed: $0?.height, mined: $0?.mined, by: clock) }
                guard openings.count == coins.count else { continue }
                policies[policy].paths[path].opening = .last(of: openings)
            }
        }
    }

    /// Takes from a stored wallet whose keys they are, for the policies of its coins alone: a PSBT names keys as it likes.
    /// Cards that have proven their keys are known by their names.
    ///
    /// A coin is the wallet's if the wallet's descriptor gives its script: the paths are then those of the descriptor, in its
    /// order. Taproot's are in the order of the PSBT, so they keep the names that it gives.
    mutating func learnKeys(of stored: StoredWallet, _ coins: [WalletCoin], in store: some Store) {
        let places = Dictionary(coins.map { ($0.outpoint, $0.place) }) { first, _ in first }
        let candidates = policies.indices.filter { index in
            !policies[index].isPartial && policies[index].coins.allSatisfy { places[$0] != nil }
        }
        guard !candidates.isEmpty, let wallet = stored.asRegistered,
            let paths = try? wallet.spendingPaths(withCardsOf: store)
        else { return }
        let addresses = Dictionary(inputs.map { ($0.outpoint, $0.address) }) { first, _ in first }
        func isOwn(_ coin: Outpoint) -> Bool {
            guard let place = places[coin], let script = try? wallet.script(at: place) else { return false }
            return addresses[coin] == Address(scriptPubKey: script, network: network)
        }
        let own = candidates.filter { policies[$0].paths.count == paths.count && policies[$0].coins.allSatisfy(isOwn) }
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
