import TapManager

/// A stored transaction in a list, as `--json` shows it.
struct TransactionSummaryDocument: Encodable {
    let id: String
    let state: String
    let network: String?
    let wallet: String?
    let note: String?
    /// What the person wrote about the transaction (BIP-329).
    let label: String?
    /// What all outputs pay.
    let amountSat: Int64?
    /// What goes to outputs that do not come back, as far as that is proven; all where everything comes back.
    let sentSat: Int64?
    /// Whom it pays with that; a script that has no address is left out.
    let payees: [String]
    let feeSat: Int64?
    let signedBy: [String]
    /// The master fingerprints of those who can sign what is missing.
    let canSign: [String]
    /// The same, with the cards that are remembered to have these keys.
    let nextSigners: [SignerDocument]
    let missing: Int
    /// Seconds since 1970.
    let created: Int64
    /// ISO 8601, as all that end so.
    let createdAt: String
    /// Seconds since 1970.
    let updated: Int64
    let updatedAt: String
    /// Seconds since 1970; `nil`: not sent.
    let sent: Int64?
    let sentAt: String?
    /// Of the block that holds it or, where it was replaced, of the one that spends its coin instead.
    let height: Int?
    let confirmations: Int
    /// The transaction in a block that spends one of its coins.
    let replacedBy: String?

    init(_ listing: TransactionListing) {
        let summary = listing.summary
        id = summary.id.description
        state = summary.state.rawValue
        network = summary.network?.rawValue
        wallet = summary.wallet.map { TerminalText.neutralized($0) }
        note = summary.note.isEmpty ? nil : TerminalText.neutralized(summary.note)
        label = listing.label.map { TerminalText.neutralized($0) }
        amountSat = summary.amount?.satoshis
        sentSat = listing.sent?.satoshis
        payees = listing.payees.compactMap { $0.address?.description }
        feeSat = summary.fee?.satoshis
        signedBy = summary.signedBy.map(\.description)
        canSign = listing.signers.map(\.fingerprint.description)
        nextSigners = listing.signers.map(SignerDocument.init)
        missing = summary.missing
        created = summary.created.seconds
        createdAt = summary.created.iso8601
        updated = summary.updated.seconds
        updatedAt = summary.updated.iso8601
        sent = summary.sent?.seconds
        sentAt = summary.sent?.iso8601
        height = summary.standing?.height
        confirmations = summary.confirmations
        replacedBy = summary.standing?.replacedBy?.description
    }
}

/// Somebody who can sign what is missing, as `--json` shows it.
struct SignerDocument: Encodable {
    let fingerprint: String
    /// The card that is remembered to have that master key.
    let ident: String?
    /// What the person called that card.
    let name: String?

    init(_ signer: TransactionListing.Signer) {
        fingerprint = signer.fingerprint.description
        ident = signer.card?.ident.text
        name = signer.card?.shownName
    }
}
