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
    /// Whether the key was picked by this flow, in this run or one that was interrupted, with a chain code drawn
    /// here or named; another key keeps the chain code it was given before.
    public let isKeyNew: Bool
    /// The backup; `nil` for a SATSCHIP, which has none.
    public let backup: CardBackup?
}
