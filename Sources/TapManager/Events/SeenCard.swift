import TapProtocol

/// A card that was found on a reader. What it says of itself is not proven.
public struct SeenCard: Sendable, Hashable {
    /// What the card is called, on its back too.
    public let ident: CardIdent
    /// Which product it is.
    public let product: CardProduct
    /// The reader, by the name that it is asked for with.
    public let reader: String
    /// Whether the card is known to be simulated, by the reader it lies on or by its certificates.
    public let isSimulated: Bool

    init(_ found: CardAtHand) {
        ident = found.ident
        product = found.status.product
        reader = found.reader.spec
        isSimulated = found.isSimulated
    }
}
