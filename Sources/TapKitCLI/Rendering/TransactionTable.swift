import Bitcoin
import FrontEndText
import TapManager
import TextLayout

/// Stored transactions as a table for the user.
enum TransactionTable {
    /// One row for each; the fee and wallet only if there is room.
    static func table(_ listings: [TransactionListing], now: UnixTime) -> Table {
        var table = Table([
            .init(title: "ID", least: 10), .init(title: "STATE"), .init(title: "SENDS"),
            .init(title: "TO", least: 14), .init(title: "NEXT", least: 9), .init(title: "AGE"),
            .init(title: "WALLET", least: 6, isOptional: true), .init(title: "FEE", isOptional: true),
        ])
        for listing in listings {
            let summary = listing.summary
            table.add([
                .code(summary.id.description), .whole(state(summary)),
                .amount(listing.sent?.text(on: listing.network ?? .main) ?? "unknown"),
                target(listing), next(listing),
                .whole(TransactionLine.span(now.seconds - summary.created.seconds) ?? "now"),
                .text(summary.wallet), .amount(summary.fee.map { "\($0.satoshis) sat" }),
            ])
        }
        return table
    }

    /// The state and, if confirmed, the number of confirmations.
    static func state(_ summary: TransactionSummary) -> String {
        guard summary.state == .confirmed, let standing = summary.standing else { return summary.state.rawValue }
        return "\(summary.state.rawValue) \(standing.confirmations)"
    }

    /// The user's label or note or, if there is none, the payee. In quotation marks, as what the payee wrote in a payment
    /// link can have become the note.
    private static func target(_ listing: TransactionListing) -> Table.Cell {
        for text in [listing.label, listing.summary.note] {
            if let label = text.flatMap(LabelText.quoted) { return .text(label) }
        }
        guard let payee = listing.payees.first else { return .text(listing.sent == nil ? "unknown" : "yourself") }
        let others = listing.payees.count > 1 ? " +\(listing.payees.count - 1)" : ""
        if let label = payee.label.flatMap(LabelText.quoted) { return .text(label + others) }
        let name = payee.address?.description ?? "script \(payee.script.abbreviated)"
        return others.isEmpty ? .code(name) : .code(name + others)
    }

    /// Who can add missing signatures, by name, ident or fingerprint.
    private static func next(_ listing: TransactionListing) -> Table.Cell {
        if listing.isRefused { return .whole("REFUSED") }
        let names = listing.signers.map { signer in
            signer.card.map { $0.shownName.map { "“\($0)”" } ?? $0.ident.description } ?? signer.fingerprint.description
        }
        if names.count == 1, listing.signers.first?.card != nil, let name = names.first {
            return name.hasPrefix("“") ? .text(name) : .code(name)
        }
        guard names.isEmpty else { return .text(names.joined(separator: " or ")) }
        return listing.summary.state == .complete ? .whole("send it") : .text("")
    }
}
