import Bitcoin

/// A wallet from the store: as stored, and ready to derive its scripts.
public struct OpenedWallet: Sendable {
    /// Its name, network and descriptors, as the store has them.
    public let stored: StoredWallet
    /// The wallet, on the network on which it is used.
    package let wallet: WatchWallet

    /// - Parameter asked: the network on which to use it, as test networks share their keys; `nil`: the stored one.
    /// - Throws: `WalletError`: `.wrongNetwork`, `.descriptor`.
    package init(_ stored: StoredWallet, network asked: Network?) throws(WalletError) {
        let network = asked ?? stored.network
        guard network.keyNetwork == stored.network.keyNetwork else {
            throw .wrongNetwork(stored.name, stored.network, asked: network)
        }
        self.stored = stored
        wallet = try WatchWallet(
            StoredWallet(
                name: stored.name, network: network, descriptors: stored.descriptors, created: stored.created,
                registrations: stored.registrations, drill: stored.drill))
    }
}
