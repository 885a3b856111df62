import Bitcoin
import TapManager

/// Wallets, for verbs that use one.
extension Invocation {
    /// The wallet with a name, for receiving, building transactions or exporting.
    func wallet(_ name: String) throws -> OpenedWallet { try manager.wallet(named: name, on: network) }

    /// The wallet with a name, for looking at it or removing it.
    func walletToLook(_ name: String) throws -> OpenedWallet {
        try manager.walletToLook(named: name, on: network)
    }

    /// What a chain server reports about a wallet now or, without a server, what one reported last.
    func chain(of wallet: OpenedWallet) async throws -> WalletChain {
        try await during { try await manager.chain(of: wallet) }
    }
}
