import Bitcoin

/// What the store knows of the policies of a transaction's inputs.
extension TransactionReview {
    /// Notes when the closed spending paths open, as far as the coins are known.
    mutating func learnOpenings(of coins: [WalletCoin], at now: UnixTime) {
        let known = Dictionary(coins.map { ($0.outpoint, $0.height) }) { first, _ in first }
        let clock = clock(at: now)
        for policy in policies.indices {
            let heights = policies[policy].coins.map { known[$0] ?? nil }
            for path in policies[policy].paths.indices where !policies[policy].paths[path].isOpen {
                let openings = heights.compactMap {
                    policies[policy].paths[path].terms.opening(confirmed: $0, by: clock)
                }
                guard openings.count == heights.count else { continue }
                policies[policy].paths[path].opening = .last(of: openings)
            }
        }
    }

    /// Takes from a stored wallet whose keys they are, for the policies of its coins alone: a PSBT names keys as it likes.
    /// Cards that have proven their keys are known by their names.
    mutating func learnKeys(of stored: StoredWallet, _ coins: [WalletCoin], in store: some Store) {
        let scripts = Dictionary(coins.map { ($0.outpoint, $0.output.scriptPubKey) }) { first, _ in first }
        let own = Set(
            inputs.filter { input in
                scripts[input.outpoint].map { Address(scriptPubKey: $0, network: network) == input.address } ?? false
            }.map(\.outpoint))
        let indices = policies.indices.filter { policies[$0].coins.allSatisfy(own.contains) }
        guard !indices.isEmpty, let wallet = try? OpenedWallet(stored, network: network).wallet,
            let paths = try? wallet.spendingPaths(withCardsOf: store)
        else { return }
        for policy in indices where policies[policy].paths.count == paths.count {
            for path in paths.indices { policies[policy].paths[path].terms = paths[path].terms }
        }
    }
}
