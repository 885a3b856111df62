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
    /// What the person called the card whose ident this one claims: beside the ident, never in its place; `nil`: nothing.
    package var name: String?

    /// What the card is called, on its back too.
    public var ident: CardIdent { status.ident }
    /// The ident with the name that it was given, in quotation marks.
    package var called: String { ident.called(name) }
    /// Whether the card is known to be simulated by the reader it lies on.
    public var isSimulated: Bool { reader.kind == .sim }
}

extension CardIdent {
    /// The ident with a name behind it, in quotation marks; the ident alone for `nil`.
    package func called(_ name: String?) -> String { name.map { "\(self) “\($0)”" } ?? description }
}
