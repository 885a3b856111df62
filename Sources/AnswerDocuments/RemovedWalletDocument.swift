import TapManager
import TextLayout

/// The answer to removing a wallet.
package struct RemovedWalletDocument: Encodable {
    let name: String
    let removed = true

    /// A wallet that is not stored any more.
    package init(_ wallet: StoredWallet) { name = TerminalText.neutralized(wallet.name) }
}
