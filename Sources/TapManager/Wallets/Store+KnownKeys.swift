import Bitcoin

extension Store {
    /// The keys with a card's fingerprint that the card has proven to have, themselves or the account above them: anybody can
    /// write a fingerprint.
    /// - Throws: `.falseKey` if it has proven another one there; `.store`.
    func provenKeys(of card: CardRecord, among keys: [DescriptorKey]) throws(WalletError) -> [DescriptorKey] {
        guard let fingerprint = card.fingerprint else { return [] }
        let claimed = keys.filter { $0.origin?.fingerprint == fingerprint }
        if claimed.isEmpty { return [] }
        let accounts: [DerivationPath: ExtendedPublicKey]
        do throws(StoreError) {
            let known = try provenAccounts(of: card.publicKey).map { ($0.path, $0.key) }
            accounts = Dictionary(known, uniquingKeysWith: { first, _ in first })
        } catch { throw .store(error) }
        var proven: [DescriptorKey] = []
        for key in claimed {
            guard let origin = key.origin, let known = Self.key(at: origin.path, below: accounts) else { continue }
            guard key.material.isKey(known) else { throw .falseKey(origin, card.ident) }
            proven.append(key)
        }
        return proven
    }

    /// What people call some of these keys, by key: the names of cards that have proven to have them, or else their labels.
    ///
    /// A label that has the letters and digits of a card's name, or of a part of its ident, in it does not count, and neither does one that several
    /// of the keys have, or one of a key with a remembered card's fingerprint that the card has not proven: anybody can write a
    /// fingerprint, and a file of labels can be anybody's.
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
        let taken = (records.compactMap(\.shownName) + idents).map(KeyLabels.folded)
        let shared = labels.shared(among: keys)
        for key in keys where named[key.shown] == nil {
            guard let label = labels[key] else { continue }
            let folded = KeyLabels.folded(label)
            guard !shared.contains(folded), !taken.contains(where: { Self.imitates(folded, $0) }) else { continue }
            if case .holder(let claimed) = key.holder, cards.contains(claimed), !provenByAny.contains(key.shown) {
                continue
            }
            named[key.shown] = .labelled(key.holder, label: label)
        }
        return named
    }

    /// Those of these extended keys beside which their label stands in a stored wallet, each once.
    /// - Throws: `.store`.
    func labelledKeys(among extendedKeys: Set<String>) throws(WalletError) -> [SpendingTerms.Key] {
        guard !extendedKeys.isEmpty else { return [] }
        let stored: [StoredWallet]
        let labels: KeyLabels
        do throws(StoreError) { (stored, labels) = (try wallets(), KeyLabels(try self.labels())) } catch {
            throw .store(error)
        }
        var labelled: [SpendingTerms.Key] = []
        var seen: Set<SpendingTerms.Key> = []
        for keys in stored.compactMap({ try? WatchWallet($0) }).map({ $0.descriptors.flatMap(\.keys) }) {
            let shown = try names(of: keys, labels: labels)
            for key in keys {
                guard case .extended(let extended) = key.material, extendedKeys.contains(extended.text),
                    let named = shown[key.shown], named.label != nil, seen.insert(named).inserted
                else { continue }
                labelled.append(named)
            }
        }
        return labelled
    }

    /// Whether a folded label has a name in it; of names of one or two letters, whether it is one.
    private static func imitates(_ label: String, _ name: String) -> Bool {
        name.count > 2 ? label.contains(name) : label == name
    }

    /// The same with the labels in the store.
    /// - Throws: `.store`.
    func names(of keys: [DescriptorKey]) throws(WalletError) -> [WatchWallet.ShownKey: SpendingTerms.Key] {
        let labels: [StoredLabel]
        do throws(StoreError) { labels = try self.labels() } catch { throw .store(error) }
        return try names(of: keys, labels: KeyLabels(labels))
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

    /// Confirms that no card which the store remembers has proven another key where a wallet says to have one of it.
    /// - Throws: `.falseKey`, `.store`.
    func requireKeysOfKnownCards(in wallet: WatchWallet) throws(WalletError) {
        let keys = wallet.descriptors.flatMap(\.keys)
        let records: [CardRecord]
        do throws(StoreError) { records = try cards() } catch { throw .store(error) }
        for card in records { _ = try provenKeys(of: card, among: keys) }
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
