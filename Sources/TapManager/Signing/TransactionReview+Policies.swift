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

    /// Takes from the stored wallets whose keys they are, for the policies of their coins alone: a PSBT names keys as it likes.
    /// They are known by what people call them.
    ///
    /// A coin is a wallet's if the wallet's descriptor gives its script, where a chain server found the coin, or where the PSBT
    /// says: the paths are then those of the descriptor, in its order. Taproot's are in the order of the PSBT, so they keep the
    /// names that it gives. Of two wallets with the same scripts, the one that a remembered card registered counts, or else the
    /// one that was added first: anybody can send a descriptor that has the same keys under other names.
    /// - Parameters:
    ///   - wallets: each with the coins that a chain server has found.
    ///   - bound: how many keys may be derived in all to find out whose coins they are that no chain server has found. A PSBT
    ///     can claim other places for as many inputs as it likes; what is not found keeps the names that the PSBT gives.
    mutating func learnKeys(
        of wallets: [(stored: StoredWallet, coins: [WalletCoin])], _ labels: KeyLabels, in store: some Store,
        mostKeys bound: Int = mostKeysLookedAt
    ) {
        let addresses = Dictionary(inputs.map { ($0.outpoint, $0.address) }) { first, _ in first }
        var unknown = policies.indices.filter { !policies[$0].isPartial }
        var learned: [Int] = []
        let ranked = wallets.map { (isRegistered: $0.stored.isRegistered(in: store), wallet: $0) }
            .sorted {
                guard $0.isRegistered == $1.isRegistered else { return $0.isRegistered }
                return $0.wallet.stored.created < $1.wallet.stored.created
            }
        for (stored, coins) in ranked.map(\.wallet) where !unknown.isEmpty {
            guard let wallet = stored.asRegistered, wallet.fault == nil,
                (try? store.requireKeysOfKnownCards(in: wallet)) != nil
            else { continue }
            let paths = wallet.spendingPaths
            let candidates = unknown.filter { policies[$0].hasShape(of: paths.map(\.terms)) }
            guard !paths.isEmpty, !candidates.isEmpty else { continue }
            var looks = bound / wallets.count
            let places = Dictionary(coins.map { ($0.outpoint, $0.place) }) { first, _ in first }
            let keyCount = wallet.descriptors.first?.keys.count ?? 1
            func isOwn(_ coin: ReviewedPolicy.Coin) -> Bool {
                guard let address = addresses[coin.outpoint] else { return false }
                let claimed = coin.indexes.lazy.flatMap { index in
                    wallet.branches.lazy.map { $0.place($0.isRanged ? index : 0) }
                }
                func isThere(_ place: WalletPlace) -> Bool {
                    guard let script = try? wallet.script(at: place) else { return false }
                    return Address(scriptPubKey: script, network: network) == address
                }
                if let place = places[coin.outpoint] { return isThere(place) }
                return claimed.contains { place in
                    looks -= keyCount
                    return looks >= 0 && isThere(place)
                }
            }
            let own = candidates.filter { policies[$0].coins.allSatisfy(isOwn) }
            guard !own.isEmpty, let names = try? store.names(of: wallet.descriptors.flatMap(\.keys), labels: labels)
            else { continue }
            let terms = paths.map { $0.named(names).terms }
            for policy in own {
                for path in terms.indices { policies[policy].paths[path].terms = terms[path] }
            }
            learned += own
            unknown.removeAll(where: Set(own).contains)
        }
        merge(learned)
    }

    /// About two seconds, enough for some thousand inputs.
    private static let mostKeysLookedAt = 50_000

    /// Whether a path is open, other than one that the signatures counted as missing are for, to an input that lacks some.
    package var isAnotherPathOpen: Bool {
        if tally.openInputs.contains(where: \.hasOtherWays) { return true }
        let open = Set(tally.openInputs.map(\.index).filter(inputs.indices.contains).map { inputs[$0].outpoint })
        return policies.contains { policy in
            !policy.isPartial && policy.paths.count(where: \.isOpen) > 1 && !policy.paths.contains(where: \.isTaken)
                && policy.coins.contains { open.contains($0.outpoint) }
        }
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
