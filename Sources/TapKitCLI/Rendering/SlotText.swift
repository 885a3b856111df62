import Bitcoin
import TapManager
import TapProtocol

/// A SATSCARD's slots as lines for people.
enum SlotText {
    /// A card's slots as a table: number, state, address, what lies there.
    /// - Parameters:
    ///   - holdings: what a chain server said, if one was asked.
    ///   - notes: further lines below a slot.
    static func table(
        _ slots: [SlotReport], _ holdings: SlotHoldings?, notes: (SlotReport) -> [String] = { _ in [] }
    ) -> Table {
        var table = Table([
            .init(title: "SLOT"), .init(title: "STATE"), .init(title: "ADDRESS"), .init(title: "HOLDS", least: 24),
        ])
        for (index, report) in slots.enumerated() {
            let holding = report.address.flatMap { _ in holdings?.slots[index] }
            let remark = remark(report)
            table.add(
                [
                    .amount("\(report.slot)"), .whole(words(report.state)), .whole(report.address?.description),
                    .prose(holding.map(text)),
                ], notes: (remark.isEmpty ? [] : [remark]) + notes(report))
        }
        return table
    }

    /// The state in a word that stands out where money may be at stake.
    static func words(_ state: SlotReport.State) -> String {
        switch state {
        case .unused: "unused"
        case .sealed: "sealed"
        case .unsealed: "UNSEALED"
        }
    }

    /// What has to be said once slot 1 was unsealed.
    static let printedCodeWarning =
        "Slot 1 was unsealed: the QR code printed on the card is its address and must not be used any more."

    /// What has to be said about a card that cannot sign for its slots.
    static let unprovenSealWarning =
        "Nothing proves this address: cards before version 1.0.0 cannot sign for their slots, so a forgery with a genuine "
        + "card behind it could show another one. Pay only to a card, and through a reader, that you trust."

    /// What has to be said with a slot's address.
    static func words(_ caution: SlotCaution) -> String {
        switch caution {
        case .opened: "Do not pay to this address: whoever saw its key can take the money."
        case .sealNotProven: unprovenSealWarning
        case .notPrinted: printedCodeWarning
        }
    }

    /// What has to be said before an unsealed slot's key is taken out once more while another slot is sealed.
    static let listenerWarning =
        "Whoever can listen to the reader while an unsealed slot's key is fetched learns the CVC, or nearly all of it, and with "
        + "it unseals a slot that is still sealed, if there is one. Do this only on a reader that you trust."

    /// What lies at a slot's address.
    static func text(_ holding: SlotHoldings.Holding) -> String {
        let count = holding.coins.count
        guard count > 0 else { return "nothing" }
        var parts = ["\(holding.confirmed)"]
        if holding.unconfirmed > .zero { parts.append("\(holding.unconfirmed) unconfirmed") }
        return parts.joined(separator: ", ") + " in \(count.counted("coin"))"
    }

    private static func remark(_ report: SlotReport) -> String {
        switch report.state {
        case .unused: ""
        case .sealed: report.isSealProven ? "" : "The card says so; its version cannot prove it."
        case .unsealed: report.isAddressProven ? "" : "The card says so, not proven; --cvc-file proves it."
        }
    }
}
