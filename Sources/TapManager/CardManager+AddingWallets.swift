import Bitcoin
import TapProtocol

/// Adding wallets.
extension CardManager {
    /// What a new wallet is made from.
    public enum WalletSource: Sendable {
        /// Output descriptors with public keys (BIP-380 to 389), up to 100.
        case descriptors([DescriptorText])
        /// The account of one card: P2PKH, P2SH-P2WPKH or P2WPKH by its path (BIP-44, 49, 84), else P2WPKH.
        case card(CardChoice)
        /// The accounts of several cards, `threshold` of which must sign: those on the readers and, if the manager has
        /// patience, others that are put on a reader one after the other. `count`: how many there are; `nil`: as many
        /// as are on the readers, at least `threshold`.
        case cards(CardChoice, threshold: Int, count: Int?)
    }

    /// A wallet that was added, and what its user should know about its keys.
    public struct AddedWallet: Sendable {
        /// The wallet, safe and stored.
        public let wallet: OpenedWallet
        /// The cards whose proven accounts it was made from.
        public let cards: [CardAtHand]
        /// Those of them whose account in a wallet of several keys is at a path for wallets of one key
        /// (`Question.shareSingleKeyAccounts`).
        public let singleKeyCards: [CardAtHand]
        /// Whether one of its keys has the fingerprint of a card that the store remembers. Anyone can copy a
        /// fingerprint: only the card can prove that a key is its own.
        package let hasKnownFingerprint: Bool
        /// Where those of its keys come from that have such a fingerprint, and that the card has not proven.
        package let claimedKeys: [KeyOrigin]
        /// The path of a wallet of one card, if it is a cosigner's (`Question.useCosignersAccount`).
        package let cosignersPath: DerivationPath?
        /// The names of stored wallets that share a descriptor with it, and so its addresses and coins.
        public let sharing: [String]
    }

    /// Adds a wallet. If cards at paths for single-key wallets would become part of a multisig wallet, asks first
    /// (`Question.shareSingleKeyAccounts`), before their CVCs; also if a card at a cosigner's path would become a
    /// wallet of its own (`Question.useCosignersAccount`).
    /// - Parameters:
    ///   - name: 1 to 64 characters, and not the name of another wallet. One that is taken or not allowed is refused
    ///     before any card is used.
    ///   - network: the requested one; `nil`: the one that the keys show.
    /// - Throws: `ErrorCode.walletExists`, `ErrorCode.badWalletName`, `ErrorCode.badDescriptor`,
    ///   `ErrorCode.wrongNetwork`, `ErrorCode.badProof` if a remembered card has proven another key where the wallet says
    ///   to have one of it, …; for a wallet of cards, what reading a card's account throws, like `account(of:)`.
    ///   Nothing is stored then.
    public nonisolated func addWallet(
        named name: String, of source: WalletSource, network: Network? = nil
    ) async throws -> AddedWallet {
        try await addWallet(named: name, of: source, network: network, registrations: [])
    }

    /// The same, with what cards signed to register it.
    nonisolated func addWallet(
        named name: String, of source: WalletSource, network: Network?, registrations: [StoredRegistration]
    ) async throws -> AddedWallet {
        let valid = try WalletName(parsing: name)
        let earlier = try requireFree(valid)
        let (texts, cards) = try await descriptors(source, network)
        let draft = try WalletDraft(name: valid, network: network, descriptors: texts)
        try requireKeysOfKnownCards(in: draft.wallet)
        var stored = draft.stored(at: now)
        stored.registrations = registrations
        let known = try knownKeys(in: draft.wallet)
        do throws(StoreError) { try store.add(stored) } catch {
            guard case .walletExists = error else { throw WalletError.store(error) }
            throw WalletError.walletExists(name)
        }
        let sharing = earlier.filter { !Set($0.descriptors).isDisjoint(with: stored.descriptors) }
        return AddedWallet(
            wallet: try OpenedWallet(stored, network: nil), cards: cards,
            singleKeyCards: source.isOfSeveralCards ? Self.singleKeyCards(among: cards) : [],
            hasKnownFingerprint: known.isAny, claimedKeys: known.claimed,
            cosignersPath: source.isOfOneCard ? draft.wallet.cosignersPath : nil, sharing: sharing.map(\.name))
    }

    /// Confirms that no remembered card has proven another key where a wallet says to have one of it.
    /// - Throws: `.falseKey`, `.store`.
    package nonisolated func requireKeysOfKnownCards(in wallet: WatchWallet) throws(WalletError) {
        try store.requireKeysOfKnownCards(in: wallet)
    }

    /// The spending paths of a wallet, which need not be stored, with what people call their keys.
    /// - Throws: `.store`.
    package nonisolated func spendingPaths(of wallet: WatchWallet) throws(WalletError) -> [WalletSpendingPath] {
        try wallet.spendingPaths(namedBy: store)
    }

    /// Confirms that no stored wallet has a name.
    /// - Returns: the stored wallets.
    /// - Throws: `.walletExists`, `.store`.
    @discardableResult package nonisolated func requireFree(_ name: WalletName) throws(WalletError) -> [StoredWallet] {
        let earlier: [StoredWallet]
        do throws(StoreError) { earlier = try store.wallets() } catch { throw .store(error) }
        if earlier.contains(where: { $0.name == name.description }) { throw .walletExists(name.description) }
        return earlier
    }

    private nonisolated func descriptors(
        _ source: WalletSource, _ network: Network?
    ) async throws -> (texts: [String], cards: [CardAtHand]) {
        switch source {
        case .descriptors(let texts): return (texts.map(\.description), [])
        case .card(let choice):
            let found = try await account(of: choice, network: network, approve: confirmPath)
            let account = found.account
            let kind = ScriptKind(accountPath: account.path) ?? .p2wpkh
            let origin = KeyOrigin(fingerprint: account.masterFingerprint, path: account.path)
            return ([AccountDescriptor(kind: kind, origin: origin, key: account.key).text], [found.card])
        case .cards(let choice, let threshold, let count):
            let limit = MultisigAccount.maximumKeyCount
            guard (1...limit).contains(threshold), (threshold...limit).contains(count ?? threshold) else {
                throw WalletError.descriptor(1, .threshold)
            }
            let found = try await accounts(
                of: choice, atLeast: max(threshold, count ?? 0), atMost: count, network: network,
                approve: confirmSharing)
            guard found.count <= limit else {
                throw WalletError.descriptor(1, .tooManyKeys(found.count, limit: limit))
            }
            guard let multisig = MultisigAccount(threshold: threshold, accounts: found.map(\.account)) else {
                throw WalletError.sameKeys
            }
            return ([multisig.descriptor], found.map(\.card))
        }
    }

    /// Asks whether cards at paths for single-key wallets may become part of a multisig wallet.
    private nonisolated func confirmSharing(_ cards: [CardAtHand]) async throws {
        let single = Self.singleKeyCards(among: cards)
        if !single.isEmpty { try await interaction.confirm(.shareSingleKeyAccounts(single)) }
    }

    /// Asks whether a card at a cosigner's path may become a wallet of its own. A card that is away from its path is
    /// moved back there first.
    private nonisolated func confirmPath(of card: CardAtHand) async throws {
        let owed = try driver(for: card).journal.owedPath(from: card.status.path)
        guard let path = owed ?? card.status.path, MultisigAccount.isForCosigners(path) else { return }
        try await interaction.confirm(.useCosignersAccount(card, at: path))
    }

    /// The cards at paths for wallets of one key.
    private static func singleKeyCards(among cards: [CardAtHand]) -> [CardAtHand] {
        cards.filter { $0.status.path.map(MultisigAccount.isForSingleKey) ?? false }
    }

    /// Whether any key has a remembered card's fingerprint, and those that the cards have not proven.
    private nonisolated func knownKeys(
        in wallet: WatchWallet
    ) throws(WalletError) -> (isAny: Bool, claimed: [KeyOrigin]) {
        let records: [CardRecord]
        do throws(StoreError) { records = try store.cards() } catch { throw .store(error) }
        let fingerprints = Set(records.compactMap(\.fingerprint))
        let keys = wallet.descriptors.flatMap(\.keys).filter { key in
            key.origin.map { fingerprints.contains($0.fingerprint) } ?? false
        }
        var proven: Set<KeyOrigin> = []
        for card in records { proven.formUnion(try store.provenKeys(of: card, among: keys).compactMap(\.origin)) }
        let claimed = keys.compactMap(\.origin).filter { !proven.contains($0) }
        return (!keys.isEmpty, claimed.enumerated().filter { !claimed[..<$0].contains($1) }.map(\.element))
    }
}

extension CardManager.WalletSource {
    /// Descriptors as people and programs write them, with or without checksums; `/**` after a key stands for `/<0;1>/*`.
    /// - Throws: `WalletError` with the number of the descriptor that cannot be used: `.descriptor`, `.privateKeys`;
    ///   `.descriptorCount`.
    package static func parsing(_ texts: [String]) throws(WalletError) -> Self {
        try WalletDraft.requireCount(of: texts)
        var descriptors: [DescriptorText] = []
        for (index, text) in texts.enumerated() {
            let descriptor = try WalletDraft.descriptor(writtenAs: text, number: index + 1)
            guard let text = DescriptorText(descriptor) else { throw .privateKeys(index + 1) }
            descriptors.append(text)
        }
        return .descriptors(descriptors)
    }

    fileprivate var isOfSeveralCards: Bool { if case .cards = self { true } else { false } }

    fileprivate var isOfOneCard: Bool { if case .card = self { true } else { false } }
}

extension WatchWallet {
    /// The path of one of its keys, if it is a cosigner's.
    fileprivate var cosignersPath: DerivationPath? {
        descriptors.lazy.flatMap(\.keys).compactMap(\.origin?.path).first(where: MultisigAccount.isForCosigners)
    }
}
