import SmartCard
import TapProtocol

/// A card that lies on a reader.
public struct CardAtHand: Sendable {
    /// The line to it.
    public let card: TapCard
    /// What it said of itself when it was found: not proven, only claimed.
    public let status: CardStatus
    /// The reader it lies on.
    public let reader: any CardReader

    /// What the card is called, on its back too.
    public var ident: CardIdent { status.ident }
    /// Whether the card is known to be simulated by the reader it lies on.
    public var isSimulated: Bool { reader.kind == .sim }
}
