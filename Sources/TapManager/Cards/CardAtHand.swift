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
    private let simulated: SimulatedCards
    /// What the person called the card whose ident this one claims: beside the ident, never in its place; `nil`: nothing.
    package let name: String?

    init(
        card: TapCard, status: CardStatus, reader: any CardReader, simulated: SimulatedCards = SimulatedCards(),
        name: String? = nil
    ) {
        (self.card, self.status, self.reader, self.simulated) = (card, status, reader, simulated)
        self.name = name
    }

    /// What the card is called, on its back too.
    public var ident: CardIdent { status.ident }
    /// Whether the card is known to be simulated, by the reader it lies on or by its certificates. Those are asked for when it is found,
    /// if the manager was told which factories make simulated cards. A front end shows such a card never without that word.
    public var isSimulated: Bool { reader.kind == .sim || simulated.contains(ident) }

    /// What people call the card: its ident, the name that they gave it, and the word SIMULATED where it is that.
    public var label: String { ident.label(name: name, isSimulated: isSimulated) }
    /// The same with its product.
    package var title: String { "\(status.product.displayName) \(label)" }
}

extension CardIdent {
    /// The ident with a name behind it, in quotation marks; the ident alone for `nil`.
    package func called(_ name: String?) -> String { name.map { "\(self) “\($0)”" } ?? description }
}
