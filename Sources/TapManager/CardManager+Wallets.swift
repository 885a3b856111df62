import Bitcoin
import ChainData
import TapProtocol

/// Stored wallets.
extension CardManager {
    /// All stored wallets, by name, whether they are safe to use or not: `wallet(named:on:)` checks that.
    package nonisolated func wallets() throws(StoreError) -> [StoredWallet] { try store.wallets() }

    /// A wallet for receiving, building, signing or exporting, for which it must be safe.
    /// - Parameter network: the network on which to use it, as test networks share their keys; `nil`: the stored one.
    /// - Throws: `ErrorCode.noSuchWallet`, `ErrorCode.wrongNetwork`, `ErrorCode.badDescriptor`; `ErrorCode.alteredWallet` if
    ///   it is not as a card registered it; why the store cannot be read.
    public nonisolated func wallet(named name: String, on network: Network? = nil) throws -> OpenedWallet {
        let opened = try readWallet(named: name, on: network)
        do throws(WalletError) { try opened.wallet.requireSound() } catch { throw opened.stored.cause(of: error) }
        try opened.requireRegistrations()
        return opened
    }

    /// A wallet for viewing or removing: if it is unsafe, the interaction gets a notice (`Notice.unsoundWallet`).
    /// - Throws: the same except `.unsound`.
    package nonisolated func walletToLook(
        named name: String, on network: Network? = nil
    ) throws -> OpenedWallet {
        let opened = try readWallet(named: name, on: network)
        do throws(WalletError) { try opened.wallet.requireSound() } catch { interaction.notice(.unsoundWallet(error)) }
        return opened
    }

    /// A wallet for removing: also one that this program cannot read, or that was altered after it was registered, on whichever
    /// network that says it is.
    /// - Throws: `ErrorCode.noSuchWallet`, `ErrorCode.wrongNetwork`, and why the store cannot be read.
    package nonisolated func walletToRemove(named name: String, on network: Network? = nil) throws -> StoredWallet {
        let stored = try storedWallet(named: name)
        do { return try walletToLook(named: name, on: network).stored } catch {
            if case .wrongNetwork? = error as? WalletError { throw error }
            return stored
        }
    }

    private nonisolated func readWallet(named name: String, on network: Network?) throws -> OpenedWallet {
        let stored = try storedWallet(named: name)
        do throws(WalletError) { return try OpenedWallet(stored, network: network) } catch {
            throw stored.cause(of: error)
        }
    }

    private nonisolated func storedWallet(named name: String) throws(WalletError) -> StoredWallet {
        let found: StoredWallet?
        do throws(StoreError) { found = try store.wallets().first { $0.name == name } } catch { throw .store(error) }
        guard let found else { throw .noSuchWallet(name) }
        return found
    }

    /// Deletes a wallet, after asking. Its money stays where it is; its transactions stay in the store.
    /// - Throws: `ErrorCode.noSuchWallet` if another process was faster, or put another wallet there; why the store failed, and
    ///   what the interaction throws.
    public nonisolated func remove(_ wallet: OpenedWallet) async throws { try await remove(wallet.stored) }

    /// The same of one that this program may be unable to read.
    package nonisolated func remove(_ wallet: StoredWallet) async throws {
        try await interaction.confirm(.removeWallet(wallet))
        do throws(StoreError) { try store.delete(wallet) } catch {
            if case .noSuchWallet(let name) = error { throw WalletError.noSuchWallet(name) }
            throw WalletError.store(error)
        }
    }

    /// Everything that is known about a wallet.
    /// - Parameter chain: the chain server's answer; `nil`: none was asked.
    /// - Throws: `ErrorCode.chainLied` for more money than there is, and why the store cannot be read.
    public nonisolated func overview(
        of wallet: OpenedWallet, _ chain: WalletChain?
    ) throws -> WalletOverview {
        try WalletOverview(wallet, chain, in: store, at: now)
    }
}
