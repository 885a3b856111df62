import Bitcoin
import TapProtocol

/// What is remembered of a card. Nothing of it is secret, and nothing is believed without asking the card again but
/// which card may be able to help.
public struct CardRecord: Sendable, Hashable {
    /// The card's own key, 33 bytes; its ident follows from it.
    public let publicKey: PublicKey
    /// Which product it is.
    public let product: CardProduct
    /// Whether it is one for the test networks.
    public let isTestnet: Bool
    /// The master key's fingerprint; `nil` until the card showed it for its CVC.
    public var fingerprint: Fingerprint?
    /// When it was seen last.
    public var lastSeen: UnixTime

    /// A record from its parts.
    public init(
        publicKey: PublicKey, product: CardProduct, isTestnet: Bool, fingerprint: Fingerprint?, lastSeen: UnixTime
    ) {
        self.publicKey = publicKey
        self.product = product
        self.isTestnet = isTestnet
        self.fingerprint = fingerprint
        self.lastSeen = lastSeen
    }

    /// The card's name for people.
    public var ident: CardIdent { CardIdent(of: publicKey) }
}
