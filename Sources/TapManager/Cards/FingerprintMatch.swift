import Bitcoin
import TapProtocol

/// Which of some cards may have a master key with a fingerprint, as far as that is known without a CVC.
package enum FingerprintMatch: Sendable {
    /// It is remembered of this one. That is a hint: the card itself proves or refutes it when it is used.
    case known(CardAtHand)
    /// Nobody knows it of these: each that is asked proves its own. None: no card fits.
    case unknown([CardAtHand])

    /// - Parameter known: the fingerprints that are remembered.
    package init(_ fingerprint: Fingerprint, among cards: [CardAtHand], known: [CardIdent: Fingerprint]) {
        if let card = cards.first(where: { $0.isSigner && known[$0.ident] == fingerprint }) {
            self = .known(card)
            return
        }
        var seen: Set<CardIdent> = []
        // One that lies on two readers is one card.
        self = .unknown(cards.filter { $0.isSigner && known[$0.ident] == nil && seen.insert($0.ident).inserted })
    }

    /// - Parameter store: what remembers fingerprints.
    init(_ fingerprint: Fingerprint, among cards: [CardAtHand], in store: any Store) throws(StoreError) {
        var known: [CardIdent: Fingerprint] = [:]
        for card in cards { known[card.ident] = try store.card(card.ident)?.fingerprint }
        self.init(fingerprint, among: cards, known: known)
    }

    /// The cards that may be it.
    var cards: [CardAtHand] {
        switch self {
        case .known(let card): [card]
        case .unknown(let cards): cards
        }
    }
}
