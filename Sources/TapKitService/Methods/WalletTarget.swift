import Bitcoin
import TapManager

/// Which wallet a method is about.
struct WalletTarget: Sendable {
    static let wallet = Parameter.text("wallet", "The wallet's name.").required
    static let offline = Parameter.flag("offline", "Whether no chain server is asked.")
    static let parameters: [any ParameterDescription] = [wallet, Parameter.network]

    private let name: String
    /// The requested network; `nil`: the stored one.
    let network: Network?
    /// Whether no chain server is asked.
    let isOffline: Bool

    init(_ arguments: Arguments) throws(RPCFault) {
        name = try arguments.required(Self.wallet)
        network = try arguments.network()
        isOffline = try arguments.optional(Self.offline) ?? false
    }

    /// The wallet, for viewing.
    func toLook(_ manager: CardManager) throws -> OpenedWallet { try manager.walletToLook(named: name, on: network) }

    /// The wallet, for removing.
    func toRemove(_ manager: CardManager) throws -> StoredWallet {
        try manager.walletToRemove(named: name, on: network)
    }

    /// The wallet, for which it must be safe.
    func toUse(_ manager: CardManager) throws -> OpenedWallet { try manager.wallet(named: name, on: network) }
}
