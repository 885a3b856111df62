import TapManager

/// A stored transaction in a list, as `--json` shows it.
struct TransactionSummaryDocument: Encodable {
    let id: String
    let state: String
    let network: String?
    let wallet: String?
    let note: String?
    /// What all outputs pay.
    let amountSat: Int64?
    let feeSat: Int64?
    let signedBy: [String]
    let missing: Int
    /// Seconds since 1970.
    let created: Int64
    /// Seconds since 1970.
    let updated: Int64
    /// Seconds since 1970; `nil`: not sent.
    let sent: Int64?

    init(_ summary: TransactionSummary) {
        id = summary.id.description
        state = summary.state.rawValue
        network = summary.network?.rawValue
        wallet = summary.wallet.map { TerminalText.neutralized($0) }
        note = summary.note.isEmpty ? nil : TerminalText.neutralized(summary.note)
        amountSat = summary.amount?.satoshis
        feeSat = summary.fee?.satoshis
        signedBy = summary.signedBy.map(\.description)
        missing = summary.missing
        created = summary.created.seconds
        updated = summary.updated.seconds
        sent = summary.sent?.seconds
    }
}
