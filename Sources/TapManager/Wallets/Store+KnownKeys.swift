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

    /// What people call some of these keys, by key: the names of cards that have proven to have them, or else labels of
    /// extended keys, as far as a card could be called that.
    /// - Throws: `.store`.
    ///
    /// Spec: BIP-329, type `xpub`.
    func names(of keys: [DescriptorKey]) throws(WalletError) -> [WatchWallet.ShownKey: SpendingTerms.Key] {
        let (records, labels): ([CardRecord], [StoredLabel])
        do throws(StoreError) { (records, labels) = (try cards(), try self.labels()) } catch { throw .store(error) }
        var named = Self.labels(of: keys, among: labels)
        for card in records {
            guard let name = card.shownName, let fingerprint = card.fingerprint else { continue }
            let proven: [DescriptorKey]
            do throws(WalletError) { proven = try provenKeys(of: card, among: keys) } catch {
                // A wallet with a false key has no name of that card; whatever spends from it or pays to it refuses it.
                guard case .falseKey = error else { throw error }
                continue
            }
            for key in proven { named[key.shown] = .card(fingerprint, name: name) }
        }
        return named
    }

    private static func labels(
        of keys: [DescriptorKey], among labels: [StoredLabel]
    ) -> [WatchWallet.ShownKey: SpendingTerms.Key] {
        let extended = labels.filter { $0.type == Label.Kind.extendedKey.rawValue && CardRecord.isName($0.label) }
        let known = Dictionary(extended.map { ($0.reference, $0.label) }) { first, _ in first }
        var labelled: [WatchWallet.ShownKey: SpendingTerms.Key] = [:]
        for key in keys.map(\.shown) {
            guard let fingerprint = key.origin?.fingerprint, let label = known[key.text] else { continue }
            labelled[key] = .labelled(fingerprint, label: label)
        }
        return labelled
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
