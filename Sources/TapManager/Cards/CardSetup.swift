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
    /// Whether the card picked the key in this call, with the chain code that was drawn or given for it, proven. False
    /// for the key of an interrupted call, as only the store says that it is one.
    public let isKeyNew: Bool
    /// Whether the key has the chain code that, according to the store, an interrupted setup gave the card. That the
    /// key has it is proven; but anyone who can write to the store can have written that of a key that they know.
    package let isKeyOfEarlierSetup: Bool
    /// The backup; `nil` for a SATSCHIP, which has none.
    public let backup: CardBackup?
    /// Whether the card has the CVC that was chosen for it; otherwise it kept its own.
    package let isCVCNew: Bool
    /// Whether it was ready before (``CardManager/isReady(_:)``).
    package var wasReady = false
}
