import AnswerDocuments
import Bitcoin
import FrontEndText
import TapManager
import TextLayout

/// A wallet's history for the user, and as a table for other programs.
struct HistoryText {
    private let entries: [WalletHistory.Entry]
    private let chain: WalletChain
    private let view: WalletOverview

    init(_ entries: [WalletHistory.Entry], _ chain: WalletChain, _ view: WalletOverview) {
        (self.entries, self.chain, self.view) = (entries, chain, view)
    }

    /// One row for each transaction; the fee only if there is room.
    var table: Table {
        var table = Table([
            .init(title: "DATE"), .init(title: "AMOUNT"), .init(title: "CONF"), .init(title: "TO", least: 12),
            .init(title: "LABEL", least: 8), .init(title: "TRANSACTION", least: 12),
            .init(title: "FEE", isOptional: true),
        ])
        for entry in entries {
            table.add([
                .whole(date(entry)), .amount(amount(entry)), .amount("\(chain.confirmations(at: entry.height))"),
                payee(entry), .text(view.label(of: entry).flatMap(LabelText.quoted)), .code(entry.id.description),
                .amount(entry.fee.map { "\($0.satoshis) sat" }),
            ])
        }
        return table
    }

    /// The same for programs. Spec: RFC 4180.
    var csv: String {
        var csv = CSVText([
            "date", "height", "confirmations", "txid", "received_sat", "spent_sat", "net_sat", "fee_sat", "payees",
            "label",
        ])
        for entry in entries {
            csv.add([
                entry.time?.iso8601 ?? "", entry.height.map { "\($0)" } ?? "",
                "\(chain.confirmations(at: entry.height))", entry.id.description, "\(entry.received.satoshis)",
                "\(entry.spent.satoshis)", "\(entry.net)", entry.fee.map { "\($0.satoshis)" } ?? "",
                view.payees(of: entry).map(\.description).joined(separator: " "), view.label(of: entry) ?? "",
            ])
        }
        return csv.text
    }

    private func date(_ entry: WalletHistory.Entry) -> String {
        entry.time?.isoDate ?? (entry.height.map { "block \($0)" } ?? "unconfirmed")
    }

    private func amount(_ entry: WalletHistory.Entry) -> String {
        (entry.net < 0 ? "-" : "+") + (Amount(satoshis: abs(entry.net))?.text(on: view.wallet.network) ?? "?")
    }

    private func payee(_ entry: WalletHistory.Entry) -> Table.Cell {
        guard let first = entry.payees.first else { return .code("") }
        let others = entry.payees.count > 1 ? " +\(entry.payees.count - 1)" : ""
        return .code((view.address(of: first)?.description ?? "script \(first.abbreviated)") + others)
    }
}
