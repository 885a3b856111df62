import Bitcoin
import Synchronization

/// How far stored wallets are shown to be in use. A chain server's answer can be large: it is read only for a place about which
/// a transaction alone shows nothing, and once for each wallet.
final class ShownReach: Sendable {
    private let store: any Store
    private let lasts = Mutex<[String: [WalletPlace: UInt32]]>([:])

    init(_ store: any Store) { self.store = store }

    /// The highest index in use on a branch, as far as payments of the wallet's own keys show it; `nil`: unknown.
    /// - Parameter branch: its first place.
    func last(of wallet: WatchWallet, on branch: WalletPlace) -> UInt32? {
        lasts.withLock { lasts in
            let known = lasts[wallet.name] ?? read(wallet)
            lasts[wallet.name] = known
            return known[branch]
        }
    }

    private func read(_ wallet: WatchWallet) -> [WalletPlace: UInt32] {
        let scripts = ((try? store.chain(of: wallet.name)) ?? nil)?.scriptsShownInUse ?? []
        return Dictionary(scripts.map { ($0.place.branchStart, $0.place.index) }, uniquingKeysWith: max)
    }
}
