import Bitcoin
import ChainData

/// What chain servers say of wallets.
extension CardManager {
    /// A transaction so deep in the chain is not expected to vanish.
    private static let safeDepth = 6

    /// Asks a chain server about a wallet, keeps what it says, and brings the stored transactions up to date: those that are in a
    /// block are forgotten, payments that vanished from the chain are stored again. What a person should know of it is told by
    /// the interaction.
    /// - Parameters:
    ///   - wallet: on the network that is asked about.
    ///   - stored: the wallet as it is stored.
    ///   - gapLimit: how many unused addresses behind each other end a branch.
    ///   - report: how far it is.
    /// - Throws: `WalletError`; what was known before stays then.
    public nonisolated func synchronize(
        _ wallet: WatchWallet, _ stored: StoredWallet, with source: any ChainSource,
        gapLimit: Int = WalletSync.usualGapLimit, report: @escaping @Sendable (WalletSync.Progress) -> Void = { _ in }
    ) async throws(WalletError) -> WalletChain {
        // What was said before and cannot be read is of no use, and replaced.
        let known = (try? store.chain(of: stored.name, on: wallet.network)).flatMap { $0 }
        let chain = try await WalletSync(wallet, source: source, gapLimit: gapLimit, progress: report)
            .run(known: known, at: now)
        if let vanished = known.map({ Self.vanished(from: $0, in: chain) }), vanished > 0 {
            interaction.notice(.vanished(vanished, server: chain.server))
        }
        do throws(StoreError) {
            try store.save(chain, of: stored)
            try observedStore.kept.forgetConfirmed(of: stored.name, by: chain) { [hub] id in
                hub.publish(.transaction(id, .settled))
            }
            if let known {
                for id in try store.restoreVanished(of: wallet, from: known, by: chain, at: now) {
                    interaction.notice(.restored(id))
                }
            }
            for id in try store.overtaken(by: chain) {
                interaction.notice(.overtaken(id))
                hub.publish(.transaction(id, .overtaken))
            }
        } catch { throw .store(error) }
        return chain
    }

    /// How many transactions a server does not tell of that one told of before, deep in the chain.
    private static func vanished(from known: WalletChain, in chain: WalletChain) -> Int {
        guard known.hasHistory, chain.hasHistory else { return 0 }
        let told = Set(chain.transactions.map(\.id))
        return known.transactions.count { entry in
            entry.height.map { known.height - $0 >= safeDepth && !told.contains(entry.id) } ?? false
        }
    }
}

extension Store {
    /// What a chain server said about a wallet last, if it is about this network: what was said of another is not about these
    /// coins.
    public func chain(of wallet: String, on network: Network) throws(StoreError) -> WalletChain? {
        try chain(of: wallet).flatMap { $0.network == network ? $0 : nil }
    }
}
