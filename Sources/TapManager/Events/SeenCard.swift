import TapProtocol

/// A card that was found on a reader. What it reports about itself is not proven.
public struct SeenCard: Sendable, Hashable {
    /// The card's ident, also printed on its back.
    public let ident: CardIdent
    /// Which product it is.
    public let product: CardProduct
    /// The reader, by the name by which it is selected.
    public let reader: String
    /// Whether the card is known to be simulated, by its reader or by its certificates.
    public let isSimulated: Bool

    init(_ found: CardAtHand) {
        ident = found.ident
        product = found.status.product
        reader = found.reader.spec
        isSimulated = found.isSimulated
    }
}
