import Bitcoin
import TapProtocol

/// Which of some cards may have a master key with a given fingerprint, as far as that is known without a CVC.
enum FingerprintMatch: Sendable {
    /// The store remembers it for this one. That is only a hint: the card proves or refutes it when it is used.
    case known(CardAtHand)
    /// The fingerprints of these are unknown; each card must prove its own. Empty: no card matches.
    case unknown([CardAtHand])

    /// - Parameter known: the remembered fingerprints.
    init(_ fingerprint: Fingerprint, among cards: [CardAtHand], known: [CardIdent: Fingerprint]) {
        if let card = cards.first(where: { $0.isSigner && known[$0.ident] == fingerprint }) {
            self = .known(card)
            return
        }
        var seen: Set<CardIdent> = []
        // A card on two readers is one card.
        self = .unknown(cards.filter { $0.isSigner && known[$0.ident] == nil && seen.insert($0.ident).inserted })
    }

    /// - Parameter store: remembers fingerprints.
    init(_ fingerprint: Fingerprint, among cards: [CardAtHand], in store: any Store) throws(StoreError) {
        var known: [CardIdent: Fingerprint] = [:]
        for card in cards { known[card.ident] = try store.card(card.ident)?.fingerprint }
        self.init(fingerprint, among: cards, known: known)
    }

    /// The cards that may match.
    var cards: [CardAtHand] {
        switch self {
        case .known(let card): [card]
        case .unknown(let cards): cards
        }
    }
}
