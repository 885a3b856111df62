import TapProtocol

/// A card that was found on a reader. What it reports about itself is claimed; ``CardManager/prove(_:)`` proves it.
public struct SeenCard: Sendable, Hashable {
    /// The ident that it claims, also printed on its back.
    public let ident: CardIdent
    /// The product that it claims to be.
    public let product: CardProduct
    /// The reader that it was found on, by the name by which it is selected (`ManagerSnapshot.Reader.spec`).
    public let reader: String
    /// Whether the card is known to be simulated, by its reader or by its certificates. False does not prove that it
    /// is genuine.
    public let isSimulated: Bool

    init(_ found: CardAtHand) {
        ident = found.ident
        product = found.status.product
        reader = found.reader.spec
        isSimulated = found.isSimulated
    }
}
