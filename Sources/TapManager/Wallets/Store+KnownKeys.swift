import Bitcoin

extension Store {
    /// The keys with a card's fingerprint that the card has proven to have, themselves or the account above them: anybody can
    /// write a fingerprint.
    /// - Throws: `.falseKey` if it has proven another one there; `.store`.
    func provenKeys(of card: CardRecord, among keys: [DescriptorKey]) throws(WalletError) -> [DescriptorKey] {
        guard card.fingerprint != nil, keys.contains(where: { $0.origin?.fingerprint == card.fingerprint }) else {
            return []
        }
        let accounts: [ProvenAccount]
        do throws(StoreError) { accounts = try provenAccounts(of: card.publicKey) } catch { throw .store(error) }
        return try card.provenKeys(by: accounts, among: keys)
    }

    /// What people call some of these keys, by key: the names of cards that have proven to have them, or else their labels.
    ///
    /// A label that looks as if a card's name, or a part of its ident, were in it does not count, and neither does one
    /// that looks like another of these keys' labels, or one of a key with a remembered card's fingerprint that the card
    /// has not proven: anybody can write a fingerprint, and a file of labels can be anybody's.
    /// - Throws: `.store`.
    func names(
        of keys: [DescriptorKey], labels: KeyLabels
    ) throws(WalletError) -> [WatchWallet.ShownKey: SpendingTerms.Key] {
        let records: [CardRecord]
        do throws(StoreError) { records = try cards() } catch { throw .store(error) }
        var named: [WatchWallet.ShownKey: SpendingTerms.Key] = [:]
        var provenByAny: Set<WatchWallet.ShownKey> = []
        for card in records {
            guard let fingerprint = card.fingerprint else { continue }
            let proven: [DescriptorKey]
            do throws(WalletError) { proven = try provenKeys(of: card, among: keys) } catch {
                // A wallet with a false key has no name of that card; whatever spends from it or pays to it refuses it.
                guard case .falseKey = error else { throw error }
                continue
            }
            provenByAny.formUnion(proven.map(\.shown))
            guard let name = card.shownName else { continue }
            for key in proven { named[key.shown] = .card(fingerprint, name: name) }
        }
        let cards = Set(records.compactMap(\.fingerprint))
        // Parts of an ident are what people compare.
        let idents = records.flatMap { $0.ident.description.split(separator: "-").map(String.init) }
        let taken = (records.compactMap(\.shownName) + idents).map(NameSkeleton.init)
        let shared = labels.shared(among: keys)
        for key in keys where named[key.shown] == nil {
            guard let label = labels[key] else { continue }
            guard !shared.contains(label), !taken.contains(where: NameSkeleton(label).imitates) else { continue }
            if case .holder(let claimed) = key.holder, cards.contains(claimed), !provenByAny.contains(key.shown) {
                continue
            }
            named[key.shown] = .labelled(key.holder, label: label)
        }
        return named
    }

    /// Every key of the stored wallets beside which its label stands.
    /// - Throws: `.store`.
    func labelledKeys() throws(WalletError) -> [LabelledKey] {
        let stored: [StoredWallet]
        let labels: KeyLabels
        do throws(StoreError) { (stored, labels) = (try wallets(), KeyLabels(try self.labels())) } catch {
            throw .store(error)
        }
        var labelled: [LabelledKey] = []
        for wallet in stored.compactMap({ try? WatchWallet($0) }) {
            let keys = wallet.descriptors.flatMap(\.keys)
            let shown = try names(of: keys, labels: labels)
            for key in keys {
                guard case .extended(let extended) = key.material, let named = shown[key.shown], named.label != nil
                else { continue }
                labelled.append(
                    LabelledKey(wallet: wallet.name, shown: key.shown, extended: extended.text, named: named))
            }
        }
        return labelled
    }

    /// The same with the labels in the store.
    /// - Throws: `.store`.
    func names(of keys: [DescriptorKey]) throws(WalletError) -> [WatchWallet.ShownKey: SpendingTerms.Key] {
        let labels: [StoredLabel]
        do throws(StoreError) { labels = try self.labels() } catch { throw .store(error) }
        return try names(of: keys, labels: KeyLabels(labels))
    }

    /// Confirms that no card which the store remembers has proven another key where a wallet says to have one of it.
    /// - Throws: `.falseKey`, `.store`.
    func requireKeysOfKnownCards(in wallet: WatchWallet) throws(WalletError) {
        let proven: [(card: CardRecord, accounts: [ProvenAccount])]
        let fingerprints = Set(wallet.descriptors.flatMap(\.keys).compactMap { $0.origin?.fingerprint })
        do throws(StoreError) {
            let named = try cards().filter { $0.fingerprint.map(fingerprints.contains) ?? false }
            proven = try named.map { card throws(StoreError) in (card, try provenAccounts(of: card.publicKey)) }
        } catch { throw .store(error) }
        try wallet.requireKeys(of: proven)
    }
}

/// A key of a stored wallet beside which the user's label stands.
struct LabelledKey {
    let wallet: String
    let shown: WatchWallet.ShownKey
    /// The extended key that has the label.
    let extended: String
    let named: SpendingTerms.Key

    /// Whether it is the same key of the same wallet, whatever its label.
    func isSamePlace(as other: Self) -> Bool { wallet == other.wallet && shown == other.shown }
}

extension CardRecord {
    /// Those of these keys that have the card's fingerprint and are what it has proven to have.
    /// - Parameter accounts: what it has proven.
    /// - Throws: `.falseKey` if it has proven another one there.
    func provenKeys(
        by accounts: [ProvenAccount], among keys: [DescriptorKey]
    ) throws(WalletError) -> [DescriptorKey] {
        guard let fingerprint, keys.contains(where: { $0.origin?.fingerprint == fingerprint }) else { return [] }
        let accounts = Dictionary(accounts.map { ($0.path, $0.key) }, uniquingKeysWith: { first, _ in first })
        var proven: [DescriptorKey] = []
        for key in keys where key.origin?.fingerprint == fingerprint {
            guard let origin = key.origin, let known = Self.key(at: origin.path, below: accounts) else { continue }
            guard key.material.isKey(known) else { throw .falseKey(origin, ident) }
            proven.append(key)
        }
        return proven
    }

    /// The key at a path of an account, or unhardened steps below one.
    private static func key(
        at path: DerivationPath, below accounts: [DerivationPath: ExtendedPublicKey]
    ) -> ExtendedPublicKey? {
        for count in stride(from: path.steps.count, through: 0, by: -1) {
            if let account = accounts[DerivationPath(path.steps.prefix(count))] {
                return try? account.descendant(DerivationPath(path.steps.dropFirst(count)))
            }
            guard count > 0, !path.steps[count - 1].isHardened else { return nil }
        }
        return nil
    }
}

extension WatchWallet {
    /// Confirms that no card has proven another key where the wallet says to have one of it.
    /// - Throws: `.falseKey`.
    func requireKeys(of proven: [(card: CardRecord, accounts: [ProvenAccount])]) throws(WalletError) {
        let keys = descriptors.flatMap(\.keys)
        for (card, accounts) in proven {
            do throws(WalletError) { _ = try card.provenKeys(by: accounts, among: keys) } catch {
                guard case .falseKey(let origin, let ident, nil) = error else { throw error }
                throw .falseKey(origin, ident, in: name)
            }
        }
    }
}

extension DescriptorKey.Material {
    /// Whether it is this key, as far as it says: a single key has no chain code.
    func isKey(_ known: ExtendedPublicKey) -> Bool {
        switch self {
        case .extended(let claimed): claimed.publicKey == known.publicKey && claimed.chainCode == known.chainCode
        case .publicKey(let bytes): bytes == known.publicKey.bytes
        case .xOnly(let bytes): bytes == Array(known.publicKey.bytes.dropFirst())
        case .privateKey, .extendedPrivate: false
        }
    }
}
