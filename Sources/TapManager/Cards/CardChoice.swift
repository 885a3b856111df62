import Bitcoin
import TapProtocol

/// Which card is meant.
public enum CardChoice: Sendable, Hashable {
    /// Whichever lies on a reader, if it is the only one.
    case any
    /// One whose ident, as it is printed with its dashes, contains a text; case is ignored.
    case identContaining(String)
    /// The TAPSIGNER or SATSCHIP whose master key has this fingerprint. A card that is remembered by it comes first; else each
    /// of those whose fingerprint nobody knows proves its own, for which its CVC is asked for, until one of them is the card.
    case fingerprint(Fingerprint)

    /// Whether it may be this card, as far as its ident tells.
    package func includes(_ ident: CardIdent) -> Bool {
        switch self {
        case .any, .fingerprint: true
        case .identContaining(let text): ident.description.contains(text.uppercased())
        }
    }
}
