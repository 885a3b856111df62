import Bitcoin
import FrontEndText
import TapManager
import TapProtocol
import TextLayout

/// A SATSCARD's slots as lines for the user.
enum SlotText {
    /// A card's slots as a table: number, state, address, holdings.
    /// - Parameters:
    ///   - holdings: what a chain server reported, if one was asked.
    ///   - notes: further lines below a slot.
    static func table(
        _ slots: [SlotReport], _ holdings: SlotHoldings?, notes: (SlotReport) -> [String] = { _ in [] }
    ) -> Table {
        var table = Table([
            .init(title: "SLOT"), .init(title: "STATE"), .init(title: "ADDRESS"), .init(title: "HOLDS", least: 24),
        ])
        let isSaidOnce = commonRemark(slots) != nil
        for (index, report) in slots.enumerated() {
            let holding = report.address.flatMap { _ in holdings?.slots[index] }
            let remark = isSaidOnce && report.state == .unsealed ? "" : remark(report)
            table.add(
                [
                    .amount("\(report.slot)"), .whole(words(report.state)), .whole(report.address?.description),
                    .prose(holding.map { text($0, on: report.address?.network ?? .main) }),
                ], notes: (remark.isEmpty ? [] : [remark]) + notes(report))
        }
        return table
    }

    /// What is true of all unsealed slots alike, to be said once below the table; `nil`: each slot says its own.
    static func commonRemark(_ slots: [SlotReport]) -> String? {
        let unsealed = slots.filter { $0.state == .unsealed }
        guard unsealed.count > 1, unsealed.allSatisfy({ !$0.isAddressProven }) else { return nil }
        return "The addresses of the unsealed slots are according to the card; prove them with --cvc-file."
    }

    /// What is said instead of keys.
    static let noKeys = "No slot is unsealed, so there are no keys to show."

    /// The state in a word, in capitals if money may be at stake.
    static func words(_ state: SlotReport.State) -> String {
        switch state {
        case .unused: "unused"
        case .sealed: "sealed"
        case .unsealed: "UNSEALED"
        }
    }

    /// The warning once slot 1 was unsealed.
    static let printedCodeWarning =
        "Slot 1 was unsealed: do not use the QR code printed on the card any more. It shows the address of slot 1."

    /// The warning about a card that cannot sign for its slots.
    static let unprovenSealWarning =
        "\(unprovenAddress) Pay only if you trust the card and the reader."

    /// The same where nothing is paid to the address.
    static let unprovenAddress = "Nothing proves this address: \(reasonWhyUnproven)"

    /// The warning before such a card is given a slot to pay to.
    static let unprovenNextSlotWarning = "Nothing will prove the address of the new slot: \(reasonWhyUnproven)"

    private static let reasonWhyUnproven =
        "cards before version 1.0.0 cannot sign for their slots, so a counterfeit that relays to a genuine one could "
        + "show another address."

    /// The warning that goes with a slot's address.
    static func words(_ caution: SlotCaution) -> String {
        switch caution {
        case .opened:
            "The slot is unsealed. Do not pay to this address: anyone who has seen its key can take the money."
        case .sealNotProven: unprovenSealWarning
        case .notPrinted: printedCodeWarning
        }
    }

    /// The warning before an unsealed slot's key is read again while another slot is sealed.
    static let listenerWarning =
        "Anyone who can listen to the reader while an unsealed slot's key is read learns the CVC, or nearly all of "
        + "it, and can use it to unseal a slot that is still sealed. Do this only on a reader that you trust."

    /// The same if no slot is sealed, as far as the card says.
    static let claimedListenerWarning =
        "According to the card, none of its slots is sealed. If one is, anyone who can listen to the reader learns the "
        + "CVC, or nearly all of it, and can use it to unseal that slot. Do this only on a reader that you trust."

    /// What a slot's address holds.
    static func text(_ holding: SlotHoldings.Holding, on network: Network) -> String {
        let count = holding.coins.count
        guard count > 0 else { return holding.unconfirmed == nil ? "nothing confirmed" : "nothing" }
        var parts = [holding.confirmed.text(on: network)]
        if let waiting = holding.unconfirmed, waiting > .zero {
            parts.append("\(waiting.text(on: network)) unconfirmed")
        }
        return parts.joined(separator: ", ") + " in \(count.counted("coin"))"
    }

    private static func remark(_ report: SlotReport) -> String {
        switch report.state {
        case .unused: ""
        case .sealed: report.isSealProven ? "" : "According to the card; its version cannot prove it."
        case .unsealed: report.isAddressProven ? "" : "According to the card; prove it with --cvc-file."
        }
    }
}
