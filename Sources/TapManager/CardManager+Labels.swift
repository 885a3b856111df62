import Bitcoin

/// What people write about addresses, transactions and coins.
///
/// Spec: BIP-329.
extension CardManager {
    /// Labels that were read from a file.
    package struct ImportedLabels: Sendable, Equatable {
        /// How many.
        package let count: Int
        /// How many of them are about the wallet, as far as is known.
        package let own: Int
        /// Coins that were frozen, and are not any more.
        package let thawed: [Outpoint]
    }

    /// A wallet's labels: all that are not known to be about another wallet.
    package nonisolated func labels(of opened: OpenedWallet) throws(StoreError) -> [Label] {
        let own = LabelScope(opened.wallet, try store.chain(of: opened.stored.name))
        var others: [LabelScope] = []
        for stored in try store.wallets() where stored.name != opened.stored.name {
            guard let wallet = try? WatchWallet(stored) else { continue }
            others.append(LabelScope(wallet, try store.chain(of: stored.name)))
        }
        return try store.labels()
            .filter { label in own.contains(label) || !others.contains { $0.contains(label) } }
            .compactMap(\.fileLabel)
    }

    /// Saves labels; those about the same thing are replaced. Where they thaw frozen coins, that is confirmed first.
    /// - Parameter opened: the wallet that they are meant for; those about others are saved, too.
    /// - Throws: `StoreError`, and what the interaction throws; nothing is saved then.
    package nonisolated func importLabels(_ labels: [Label], to opened: OpenedWallet) async throws -> ImportedLabels {
        let labels = labels.map(StoredLabel.init)
        let thawed = try store.coinsThawed(by: labels)
        if !thawed.isEmpty { try await interaction.confirm(.thaw(thawed)) }
        let scope = LabelScope(opened.wallet, try store.chain(of: opened.stored.name))
        try store.save(labels)
        return ImportedLabels(count: labels.count, own: labels.count(where: scope.contains), thawed: thawed)
    }
}
