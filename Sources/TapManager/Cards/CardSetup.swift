import Bitcoin
import TapProtocol

/// A card that is ready.
public struct CardSetup: Sendable {
    /// Which product it is.
    package let product: CardProduct
    /// Its ident.
    package let ident: CardIdent
    /// Its proven account.
    public let account: Account
    /// Whether this flow picked the key, in this run or an interrupted one, with a chain code that was drawn here or
    /// given by the user; an older key keeps its chain code.
    public let isKeyNew: Bool
    /// The backup; `nil` for a SATSCHIP, which has none.
    public let backup: CardBackup?
    /// Whether the card has the CVC that was chosen for it; otherwise it kept its own.
    package let isCVCNew: Bool
    /// Whether it was ready before (``CardManager/isReady(_:)``).
    package var wasReady = false
}
