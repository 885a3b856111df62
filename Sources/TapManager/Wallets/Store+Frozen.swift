import Bitcoin

extension Store {
    /// The coins that labels freeze.
    ///
    /// Spec: BIP-329, `spendable`.
    func frozenCoins() throws(StoreError) -> Set<Outpoint> { try labels().frozenCoins }

    /// The coins that would be frozen if these labels were saved, and are not now, and those that would be thawed; each sorted
    /// by name.
    func coinsChanged(by labels: [StoredLabel]) throws(StoreError) -> (frozen: [Outpoint], thawed: [Outpoint]) {
        let present = try self.labels()
        var changed = Dictionary(present.map { ($0.key, $0) }, uniquingKeysWith: { $1 })
        for label in labels { changed[label.key] = changed[label.key]?.updated(by: label) ?? label }
        let (before, after) = (present.frozenCoins, Array(changed.values).frozenCoins)
        func sorted(_ coins: Set<Outpoint>) -> [Outpoint] { coins.sorted { $0.description < $1.description } }
        return (sorted(after.subtracting(before)), sorted(before.subtracting(after)))
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
