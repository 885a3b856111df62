import Bitcoin
import ChainData
import TapManager

/// Wallets, for verbs that work with one.
extension Invocation {
    /// The wallet of a name, to receive, build or export with it.
    /// - Throws: `Failure`: what `CardManager.wallet(named:on:)` throws.
    func wallet(_ name: String) throws(Failure) -> OpenedWallet {
        do { return try manager.wallet(named: name, on: network) } catch { throw Failure(unexpected: error) }
    }

    /// The wallet of a name, to look at it or to be rid of it.
    /// - Throws: `Failure`: what `CardManager.walletToLook(named:on:)` throws.
    func walletToLook(_ name: String) throws(Failure) -> OpenedWallet {
        do { return try manager.walletToLook(named: name, on: network) } catch {
            throw Failure(unexpected: error)
        }
    }

    /// What a chain server said of a wallet last; `nil` when none was asked yet.
    func lastChain(of wallet: OpenedWallet) throws(Failure) -> WalletChain? {
        do { return try manager.lastChain(of: wallet) } catch { throw Failure(unexpected: error) }
    }

    /// The chain server that is asked about a wallet; `nil` where none was named, and with `--offline`.
    func source(for wallet: OpenedWallet, _ offline: OfflineOptions) throws(Failure) -> (any ChainSource)? {
        offline.offline ? nil : try options.chainSource(for: wallet.wallet.network)
    }

    /// What a chain server says of a wallet now or, without one, what one said last.
    func chain(of wallet: OpenedWallet, from source: (any ChainSource)?) async throws(Failure) -> WalletChain {
        try await during { try await manager.chain(of: wallet, from: source) }
    }

    /// Everything that is told of a wallet.
    func overview(of wallet: OpenedWallet, _ chain: WalletChain?) throws(Failure) -> WalletOverview {
        do { return try manager.overview(of: wallet, chain) } catch { throw Failure(unexpected: error) }
    }

    /// A stored transaction, by its id or the beginning of it.
    func transaction(_ text: String) throws(Failure) -> StoredTransaction {
        do { return try manager.transaction(named: text) } catch { throw Failure(unexpected: error) }
    }
}
