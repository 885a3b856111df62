import TapProtocol

/// Which card is meant.
public enum CardChoice: Sendable, Hashable {
    /// Whichever lies on a reader, if it is the only one.
    case any
    /// One whose ident, as it is printed with its dashes, contains a text; case is ignored.
    case identContaining(String)

    /// Whether it may be this card.
    package func includes(_ ident: CardIdent) -> Bool {
        switch self {
        case .any: true
        case .identContaining(let text): ident.description.contains(text.uppercased())
        }
    }
}
