import Bitcoin
import TapProtocol

/// Which card to use.
public enum CardChoice: Sendable, Hashable {
    /// The card on a reader, if it is the only one.
    case any
    /// The one whose ident, as printed with its dashes, contains a text; case is ignored.
    case identContaining(String)
    /// The TAPSIGNER or SATSCHIP whose master key has this fingerprint. A card that is remembered with it is preferred.
    /// Otherwise, each card whose fingerprint is unknown must prove its own, for which its CVC is asked for, until one
    /// matches.
    case fingerprint(Fingerprint)

    /// Whether it may be this card, judging by its ident.
    package func includes(_ ident: CardIdent) -> Bool {
        switch self {
        case .any, .fingerprint: true
        case .identContaining(let text): ident.description.contains(text.uppercased())
        }
    }
}
