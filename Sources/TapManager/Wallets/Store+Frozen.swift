import Bitcoin

extension Store {
    /// The coins that labels freeze.
    ///
    /// Spec: BIP-329, `spendable`.
    func frozenCoins() throws(StoreError) -> Set<Outpoint> { try labels().frozenCoins }

    /// The coins that are frozen now, and would not be if these labels were saved; sorted by name.
    func coinsThawed(by labels: [StoredLabel]) throws(StoreError) -> [Outpoint] {
        let present = try self.labels()
        var changed = Dictionary(present.map { ($0.key, $0) }, uniquingKeysWith: { $1 })
        for label in labels { changed[label.key] = changed[label.key]?.updated(by: label) ?? label }
        return present.frozenCoins.subtracting(Array(changed.values).frozenCoins)
            .sorted { $0.description < $1.description }
    }
}

extension [StoredLabel] {
    fileprivate var frozenCoins: Set<Outpoint> {
        Set(
            filter { $0.type == Label.Kind.output.rawValue && $0.isSpendable == false }
                .compactMap { Outpoint(parsing: $0.reference) })
    }
}

extension StoredLabel {
    /// What labels for the same thing share.
    fileprivate var key: [String] { [type, reference, origin] }
}
