import Bitcoin

extension DerivationPath {
    /// The coin type: the second step, if it is hardened; `nil`: the path has none.
    ///
    /// Spec: BIP-44, "Coin type".
    var coinType: UInt32? { steps.dropFirst().first.flatMap { $0.isHardened ? $0.index : nil } }

    /// The same path with the coin type of a kind of network: 0 for bitcoin, 1 for all test networks.
    fileprivate func withCoinType(isTestnet: Bool) -> DerivationPath? {
        let parts = steps.enumerated().map { place, step in
            place == 1 ? "\(isTestnet ? 1 : 0)h" : "\(step.index)\(step.isHardened ? "h" : "")"
        }
        return try? DerivationPath(parsing: "m/" + parts.joined(separator: "/"))
    }
}

extension CardAtHand {
    /// For a path of bitcoin on a card for the test networks, or the reverse: where other programs look for the card's
    /// money instead. `nil`: the path fits the card, or has another coin type or none.
    package func usualPath(insteadOf path: DerivationPath) -> DerivationPath? {
        guard let coin = path.coinType, coin <= 1, (coin == 1) != status.isTestnet else { return nil }
        return path.withCoinType(isTestnet: status.isTestnet)
    }
}
