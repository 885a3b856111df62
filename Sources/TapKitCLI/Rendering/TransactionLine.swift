import Bitcoin
import FrontEndText
import TapManager

/// A stored transaction in two lines for the user: the whole id, and everything else.
struct TransactionLine {
    private let summary: TransactionSummary
    private let network: Network
    private let now: UnixTime

    /// - Parameter network: that of its amounts.
    init(_ summary: TransactionSummary, on network: Network, now: UnixTime) {
        self.summary = summary
        self.network = network
        self.now = now
    }

    /// State, amount, fee, who has signed, missing signatures, age, wallet, note, id.
    var lines: [String] {
        let state = TransactionTable.state(summary)
        var parts = [summary.standing?.replacedBy.map { "\(state) by \($0)" } ?? state]
        parts.append(summary.amount.map { "outputs \($0.text(on: network))" } ?? "amount unknown")
        parts.append(summary.fee.map { "fee \($0.satoshis) sat" } ?? "fee unknown")
        if !summary.signedBy.isEmpty {
            parts.append("signed by " + summary.signedBy.map(\.description).joined(separator: ", "))
        }
        if summary.missing > 0 {
            parts.append(summary.missing.counted("signature") + " missing")
        }
        parts.append(Self.age(now.seconds - summary.created.seconds))
        if let wallet = summary.wallet { parts.append("wallet " + wallet) }
        if let note = LabelText.quoted(summary.note) { parts.append(note) }
        return ["\(summary.id)", "  " + parts.joined(separator: " · ")]
    }

    /// How long ago, in the largest whole unit.
    static func age(_ seconds: Int64) -> String { span(seconds).map { "\($0) ago" } ?? "just now" }

    /// A duration in the largest whole unit; `nil` for less than a minute.
    static func span(_ seconds: Int64) -> String? {
        let units: [(Int64, String)] = [(86_400, "day"), (3_600, "hour"), (60, "minute")]
        return units.first { seconds >= $0.0 }.map { size, name in (seconds / size).counted(name) }
    }
}
