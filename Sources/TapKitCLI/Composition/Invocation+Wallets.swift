import Bitcoin
import TapManager

/// Wallets, for verbs that work with one.
extension Invocation {
    /// The wallet of a name, to receive, build or export with it.
    func wallet(_ name: String) throws -> OpenedWallet { try manager.wallet(named: name, on: network) }

    /// The wallet of a name, to look at it or to be rid of it.
    func walletToLook(_ name: String) throws -> OpenedWallet {
        try manager.walletToLook(named: name, on: network)
    }

    /// What a chain server says of a wallet now or, without one, what one said last.
    func chain(of wallet: OpenedWallet) async throws -> WalletChain {
        try await during { try await manager.chain(of: wallet) }
    }
}
