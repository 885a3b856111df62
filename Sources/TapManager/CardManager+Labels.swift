import Bitcoin

/// The user's labels for addresses, transactions and coins.
///
/// Spec: BIP-329.
extension CardManager {
    /// Labels that were imported from a file.
    package struct ImportedLabels: Sendable, Equatable {
        /// An address of others, as far as is known, with the label that reviews show beside it.
        package struct Payee: Sendable, Equatable {
            package let address: Address
            /// Exactly as written.
            package let label: String
        }

        /// The number of labels.
        package let count: Int
        /// How many of them are for the wallet, as far as is known.
        package let own: Int
        /// Coins that are frozen now, and were not, whosever they are.
        package let frozen: [Outpoint]
        /// Coins that were frozen, and no longer are.
        package let thawed: [Outpoint]
        /// The keys of stored wallets beside which one of these labels stands from now on, or an older one that was another
        /// key's, too, each with its label.
        package let keys: [SpendingTerms.Key]
        /// The keys that were shown with a label before, and no longer are, each with that label: another key has it now, or
        /// one that cannot be shown replaced it.
        package let unlabelled: [SpendingTerms.Key]
        /// The payees that had another label, or none, in the order of the labels.
        package let payees: [Payee]
    }

    /// A wallet's labels: all that are not known to be for a different wallet, by kind and reference. Whoever wrote the file
    /// that they were imported from chose the texts.
    public nonisolated func labels(of opened: OpenedWallet) throws(StoreError) -> [Label] {
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

    /// Saves labels for addresses, transactions and coins; each replaces the one for the same thing. If they would thaw
    /// frozen coins, asks first (`Question.thaw`). A label whose reference does not fit its kind is kept, and finds nothing.
    /// - Parameter opened: the wallet that they are meant for; others' labels are saved, too.
    /// - Throws: `StoreError`, and what the interaction throws; nothing is saved then.
    public nonisolated func save(_ labels: [Label], to opened: OpenedWallet) async throws {
        _ = try await importLabels(labels, to: opened)
    }

    /// Saves labels; they replace those for the same thing. If they would thaw frozen coins, asks first.
    /// - Parameter opened: the wallet that they are meant for; others' labels are saved, too.
    /// - Throws: `StoreError`, and what the interaction throws; nothing is saved then.
    package nonisolated func importLabels(_ labels: [Label], to opened: OpenedWallet) async throws -> ImportedLabels {
        let labels = labels.map(StoredLabel.init)
        let (frozen, thawed) = try store.coinsChanged(by: labels)
        if !thawed.isEmpty { try await interaction.confirm(.thaw(thawed)) }
        let scope = LabelScope(opened.wallet, try store.chain(of: opened.stored.name))
        let extendedKeys = Set(
            labels.lazy.filter { $0.type == Label.Kind.extendedKey.rawValue }.map(\.reference))
        let before = extendedKeys.isEmpty ? [] : try store.labelledKeys()
        let addresses = labels.compactMap(\.labelledAddress)
        let namesBefore = LabelTexts(addresses.isEmpty ? [] : try store.labels())
        try store.save(labels)
        let after = extendedKeys.isEmpty ? [] : try store.labelledKeys()
        func distinct(_ keys: [LabelledKey]) -> [SpendingTerms.Key] {
            var seen: Set<SpendingTerms.Key> = []
            return keys.map(\.named).filter { seen.insert($0).inserted }
        }
        return ImportedLabels(
            count: labels.count, own: labels.count(where: scope.contains), frozen: frozen, thawed: thawed,
            keys: distinct(
                after.filter { new in
                    extendedKeys.contains(new.extended)
                        || !before.contains { $0.isSamePlace(as: new) && $0.named == new.named }
                }),
            unlabelled: distinct(before.filter { old in !after.contains(where: old.isSamePlace) }),
            payees: try payees(at: addresses, before: namesBefore, besides: scope, of: opened))
    }

    /// Those of some labelled addresses that are called otherwise than before, and that no stored wallet has.
    private nonisolated func payees(
        at addresses: [Address], before: LabelTexts, besides scope: LabelScope, of opened: OpenedWallet
    ) throws(StoreError) -> [ImportedLabels.Payee] {
        guard !addresses.isEmpty else { return [] }
        let after = LabelTexts(try store.labels())
        var own = scope.scripts
        var seen: Set<Address> = []
        let renamed = addresses.filter { address in
            !own.contains(address.scriptPubKey) && after.of(address) != before.of(address)
                && seen.insert(address).inserted
        }
        guard !renamed.isEmpty else { return [] }
        for stored in try store.wallets() where stored.name != opened.stored.name {
            guard let wallet = try? WatchWallet(stored) else { continue }
            own.formUnion(LabelScope(wallet, try store.chain(of: stored.name)).scripts)
        }
        return renamed.compactMap { address in
            guard !own.contains(address.scriptPubKey), let label = after.of(address) else { return nil }
            return ImportedLabels.Payee(address: address, label: label)
        }
    }
}

extension StoredLabel {
    /// The address that it names, on one of the networks that may have it; `nil` if it names none, or writes it as no
    /// review does.
    fileprivate var labelledAddress: Address? {
        guard type == Label.Kind.address.rawValue, !label.isEmpty,
            let address = try? UncheckedAddress(parsing: reference), let network = address.networks.first
        else { return nil }
        return (try? address.require(network)).flatMap { "\($0)" == reference ? $0 : nil }
    }
}
