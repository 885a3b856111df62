import Bitcoin
import TapManager
import TapProtocol

/// The cards that a call's options may refer to.
struct HWICandidates {
    /// The only one, if `unproven` is `nil`.
    let first: HWIDevice
    let cards: [CardAtHand]
    /// The requested fingerprint, which each card has yet to prove or refute; `nil`: the card is known.
    let unproven: Fingerprint?
    /// Why other cards are not among them, line by line.
    let problems: [String]

    /// `nil` if no card matches.
    /// - Parameter wanted: the requested fingerprint; `nil`: use the first device.
    init?(_ wanted: Fingerprint?, among devices: [HWIDevice], problems: [String]) {
        self.problems = problems
        guard let wanted else {
            guard let first = devices.first else { return nil }
            (self.first, cards, unproven) = (first, [first.card], nil)
            return
        }
        var known: [CardIdent: Fingerprint] = [:]
        for device in devices { known[device.card.ident] = device.fingerprint }
        switch FingerprintMatch(wanted, among: devices.map(\.card), known: known) {
        case .known(let card): (first, cards, unproven) = (HWIDevice(card: card, fingerprint: wanted), [card], nil)
        case .unknown(let cards):
            guard let first = cards.first else { return nil }
            (self.first, self.cards, unproven) = (HWIDevice(card: first, fingerprint: nil), cards, wanted)
        }
    }
}
