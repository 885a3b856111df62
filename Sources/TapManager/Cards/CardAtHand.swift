import SmartCard
import TapProtocol

/// A card on a reader, connected, with what it claims about itself. ``CardManager/prove(_:)`` proves it.
public struct CardAtHand: Sendable {
    /// The connection to it, for commands that the manager does not give; its journal does not know of them.
    public let card: TapCard
    /// What it reported about itself when it was found: claimed, not proven.
    public let status: CardStatus
    /// The reader it was found on; it may have been moved since. Programs outside read where cards are now in
    /// ``ManagerSnapshot``.
    package let reader: any CardReader
    private let simulated: SimulatedCards
    /// The user's name for the card with the ident that this one claims. Show it next to the ident, never instead;
    /// `nil`: none.
    package let name: String?

    init(
        card: TapCard, status: CardStatus, reader: any CardReader, simulated: SimulatedCards = SimulatedCards(),
        name: String? = nil
    ) {
        (self.card, self.status, self.reader, self.simulated) = (card, status, reader, simulated)
        self.name = name
    }

    /// The card's ident, also printed on its back.
    public var ident: CardIdent { status.ident }
    /// Whether the card is known to be simulated, by its reader or its certificates. The certificates are read when it
    /// is found, if the manager knows factories that make simulated cards. A front end must always mark such a card.
    public var isSimulated: Bool { reader.kind == .sim || simulated.contains(ident) }

    /// The card as shown to people: its ident, the name that they gave it, and SIMULATED if it is.
    public var label: String { ident.label(name: name, isSimulated: isSimulated) }
    /// The same with its product.
    package var title: String { "\(status.product.displayName) \(label)" }
}

extension CardIdent {
    /// The ident followed by a name in quotation marks; only the ident for `nil`.
    package func called(_ name: String?) -> String { name.map { "\(self) “\($0)”" } ?? description }
}
