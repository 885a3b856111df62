import Bitcoin

/// A spending path of a wallet with a policy: miniscript, or taproot with scripts; and the block from which it is open to a coin.
///
/// Spec: BIP-379; BIP-68, BIP-65 and BIP-112 for locks.
package struct WalletSpendingPath: Sendable {
    /// Its number in the wallet's policy, from 1.
    package let number: Int
    /// What it takes.
    package let path: Descriptor.Path
    /// The same with the names that people know keys by.
    package private(set) var terms: SpendingTerms
    /// The weight that signing adds to each input.
    let satisfactionWeight: Int
    /// Whether it is one of the scripts of a taproot output.
    let isTaprootScript: Bool

    /// Every spending path of a descriptor; empty if it has no policy, or one with too many paths to list.
    package static func all(of descriptor: Descriptor) -> [WalletSpendingPath] {
        let paths = descriptor.spendingPaths ?? []
        return zip(1..., paths).compactMap { number, path in
            descriptor.satisfactionWeight(of: path).map {
                WalletSpendingPath(
                    number: number, path: path, terms: SpendingTerms(path) { $0.key.holder }, satisfactionWeight: $0,
                    isTaprootScript: descriptor.isTaproot && path.signers.first?.keys.first?.number != 0)
            }
        }
    }

    /// The first block in which its locks in blocks are open to a coin: see `SpendingTerms.openingHeight`.
    package func openingHeight(of coin: WalletCoin) -> Int? { terms.openingHeight(confirmed: coin.height) }

    /// Whether it may spend a coin in the block after the last, as far as blocks tell: whether a time has passed, nodes know,
    /// and refuse the transaction if it has not.
    func isOpen(to coin: WalletCoin, after height: Int) -> Bool {
        openingHeight(of: coin).map { $0 <= height + 1 } ?? false
    }

    /// Gives a transaction the locks that it needs.
    /// - Throws: `.otherLockTime` if it was to have a lock time of the other kind.
    func lock(_ request: inout TransactionRequest) throws(CreationError) {
        if let sequence = path.sequence { request.sequence = sequence }
        guard let needed = path.lockTime else { return }
        switch request.lockTime {
        case .fixed(let chosen):
            guard TimeLock.isDate(chosen) == TimeLock.isDate(needed) else {
                throw .otherLockTime(number, needed: needed)
            }
            request.lockTime = .fixed(max(chosen, needed))
        case .discouragingFeeSniping(let tip):
            request.lockTime = .fixed(TimeLock.isDate(needed) ? needed : max(tip, needed))
        }
    }
}

extension WatchWallet {
    /// Whether it has a policy with more spending paths than are listed: see `SpendingPolicy.listedPaths`.
    package var hasUnlistedPaths: Bool { spendingPaths.isEmpty && descriptors.contains(where: \.hasPolicy) }

    /// Its spending paths; empty for wallets without a policy, or with too many of them. All descriptors of a sound wallet have
    /// the same.
    package var spendingPaths: [WalletSpendingPath] {
        descriptors.lazy.map { WalletSpendingPath.all(of: $0) }.first { !$0.isEmpty } ?? []
    }

    /// The same, with what people call their keys: see `Store.names`.
    /// - Throws: `.store`.
    func spendingPaths(namedBy store: any Store) throws(WalletError) -> [WalletSpendingPath] {
        let labels: [StoredLabel]
        do throws(StoreError) { labels = try store.labels() } catch { throw .store(error) }
        return try spendingPaths(namedBy: store, KeyLabels(labels))
    }

    /// The same with labels at hand.
    /// - Throws: `.store`.
    func spendingPaths(namedBy store: any Store, _ labels: KeyLabels) throws(WalletError) -> [WalletSpendingPath] {
        let paths = spendingPaths
        guard !paths.isEmpty else { return [] }
        let names = try store.names(of: descriptors.flatMap(\.keys), labels: labels)
        return paths.map { $0.named(names) }
    }
}

extension WalletSpendingPath {
    /// The same with names.
    func named(_ names: [WatchWallet.ShownKey: SpendingTerms.Key]) -> WalletSpendingPath {
        var named = self
        named.terms = SpendingTerms(path) { place in names[place.key.shown] ?? place.key.holder }
        return named
    }
}

extension DescriptorKey {
    /// Whose key it is, as far as the descriptor says.
    var holder: SpendingTerms.Key {
        if let fingerprint = (try? origin())?.fingerprint { return .holder(fingerprint) }
        return .bytes((try? publicKey()) ?? [])
    }
}
