import Bitcoin
import TapProtocol

/// A verified tap link for the user: what it proves, and what it does not.
struct LinkText {
    private let link: TapLink
    private let address: Address?

    /// - Parameter address: a SATSCARD's, for the requested network.
    init(_ link: TapLink, address: Address?) { (self.link, self.address) = (link, address) }

    /// What the link is about, and its state.
    /// - Parameter namesCard: whether to name the card, as far as the link does.
    func subject(namesCard: Bool = true) -> String {
        switch link.subject {
        case .card(let ident): (namesCard ? "card \(ident): " : "") + state
        case .slot(let slot, let own):
            "slot \(slot), \(address ?? own)\(own.network == .main ? "" : " (test network)"): \(state)"
        }
    }

    /// One fact per line.
    var lines: [String] {
        var lines = ["\(link.product.displayName) \(subject())", "  Proven: \(proven)"]
        lines.append("  Not proven: that this is still true. A link can be shown again and again.")
        lines.append(genuinenessCaveat)
        if link.product != .satscard {
            lines.append("  Not proven: that it is a \(link.product.displayName); only the link's host claims it.")
        }
        return lines + advice
    }

    /// The caveats for a link that comes from the card itself.
    var caveats: [String] { [genuinenessCaveat] + advice }

    private var genuinenessCaveat: String {
        guard case .slot = link.subject else {
            return "  Not proven: that the card is genuine. With the card on a reader: tapkit verify"
        }
        return "  Not proven: that the card is genuine, and that the address is the card's. With the card on a reader: "
            // No address is left to show once the slot is unsealed, or the card reports an error.
            + (link.state == .sealed ? "tapkit verify, tapkit address" : "tapkit verify")
    }

    private var advice: [String] {
        guard link.state == .unsealed else { return [] }
        return ["  Do not pay to this address: anyone who has the card and its CVC can read its key."]
    }

    private var state: String {
        switch link.state {
        case .sealed where link.product == .satscard: "sealed"
        case .sealed: "set up"
        case .unsealed: "UNSEALED"
        case .unused: "unused: it has no key yet"
        case .error: "ERROR: the card reports that something is wrong with it"
        }
    }

    private var proven: String {
        switch link.subject {
        case .card: "the card's own key (\(link.publicKey)) signed this."
        case .slot: "the key of this address signed this."
        }
    }
}
