import Bitcoin
import ChainData
import TapProtocol

/// The wallets of the store.
extension CardManager {
    /// All wallets, by name.
    public nonisolated func wallets() throws(StoreError) -> [StoredWallet] { try store.wallets() }

    /// A wallet to receive, build, sign or export with: only a sound one is opened for that.
    /// - Parameter network: the network it is to be used for, since test networks share their keys; `nil`: the stored one.
    /// - Throws: `ErrorCode.noSuchWallet`, `ErrorCode.wrongNetwork`, `ErrorCode.badDescriptor`, and why the store cannot be
    ///   read.
    public nonisolated func wallet(named name: String, on network: Network? = nil) throws -> OpenedWallet {
        let opened = try readWallet(named: name, on: network)
        try opened.wallet.requireSound()
        return opened
    }

    /// A wallet to look at, or to be rid of: where it is not sound, the interaction is told (`Notice.unsoundWallet`).
    /// - Throws: the same but for `.unsound`.
    public nonisolated func walletToLook(
        named name: String, on network: Network? = nil
    ) throws -> OpenedWallet {
        let opened = try readWallet(named: name, on: network)
        do throws(WalletError) { try opened.wallet.requireSound() } catch { interaction.notice(.unsoundWallet(error)) }
        return opened
    }

    private nonisolated func readWallet(named name: String, on network: Network?) throws(WalletError) -> OpenedWallet {
        let found: StoredWallet?
        do throws(StoreError) { found = try store.wallets().first { $0.name == name } } catch { throw .store(error) }
        guard let found else { throw .noSuchWallet(name) }
        return try OpenedWallet(found, network: network)
    }

    /// Forgets a wallet, once that is confirmed. Its money stays where it is, its transactions stay in the store.
    /// - Throws: `ErrorCode.noSuchWallet` when another process was faster, why the store failed, and what the interaction
    ///   throws.
    public nonisolated func remove(_ wallet: OpenedWallet) async throws {
        try await interaction.confirm(.removeWallet(wallet.stored))
        let isRemoved: Bool
        do throws(StoreError) { isRemoved = try store.deleteWallet(named: wallet.stored.name) } catch {
            throw WalletError.store(error)
        }
        guard isRemoved else { throw WalletError.noSuchWallet(wallet.stored.name) }
    }

    /// Everything that is told of a wallet.
    /// - Parameter chain: what a chain server said; `nil`: none was asked.
    /// - Throws: `ErrorCode.chainLied` for more money than there is, and why the store cannot be read.
    public nonisolated func overview(
        of wallet: OpenedWallet, _ chain: WalletChain?
    ) throws -> WalletOverview {
        try WalletOverview(wallet, chain, in: store)
    }
}
