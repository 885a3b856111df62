import Bitcoin

extension StoredTransaction {
    /// Whether it was made here as a sweep: what was imported, or belongs to a wallet, is none, whatever it spends and pays.
    package var isSweep: Bool { drains && wallet == nil }
}

extension Store {
    /// The stored sweep that already takes these coins to the same place.
    /// - Returns: `nil` when no stored transaction spends one of them.
    /// - Throws: `.coinsTaken` when one does that is no sweep made here, or another one.
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
