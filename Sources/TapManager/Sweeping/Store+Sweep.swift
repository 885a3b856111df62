import Bitcoin

extension StoredTransaction {
    /// Whether it was made here as a sweep: transactions that were imported, or belong to a wallet, are not, whatever
    /// they do.
    package var isSweep: Bool { drains && wallet == nil }
}

extension Store {
    /// The stored sweep that already sends these coins to the same place.
    /// - Returns: `nil` if no stored transaction spends one of them.
    /// - Throws: `.coinsTaken` if one does, but is not a sweep made here, or a different one.
    package func sweep(
        of sources: [SweepPlan.Source], to destination: Script
    ) throws(StoreError) -> StoredTransaction? {
        let taken = try takenCoins()
        let own = sources.flatMap { $0.coins.map(\.outpoint) }.filter { taken[$0] != nil }
        guard let id = own.first.flatMap({ taken[$0] }) else { return nil }
        if let stored = try transaction(id), stored.isSweep, own.allSatisfy({ taken[$0] == id }),
            SweepPlan.isSweep(stored.psbt, of: sources, to: destination)
        {
            return stored
        }
        throw .coinsTaken(
            Dictionary(own.compactMap { coin in taken[coin].map { (coin, $0) } }) { first, _ in first })
    }
}
