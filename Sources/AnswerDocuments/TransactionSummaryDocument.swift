import TapManager
import TextLayout

/// A stored transaction in a list, as JSON.
package struct TransactionSummaryDocument: Encodable {
    let id: String
    let state: String
    let network: String?
    let wallet: String?
    let note: String?
    /// The user's label for the transaction (BIP-329).
    let label: String?
    /// The sum of all outputs.
    let amountSat: Int64?
    /// The sum of the outputs that are not proven change; if all are, the sum of all.
    let sentSat: Int64?
    /// The addresses of these outputs; scripts without an address are left out.
    let payees: [String]
    /// True if every output pays back, by the wallet's descriptors or a remembered card's proven keys; else absent.
    let onlyChange: Bool?
    let feeSat: Int64?
    let signedBy: [String]
    /// The master fingerprints of those who can add missing signatures.
    let canSign: [String]
    /// The same, with the cards known to have these keys.
    let nextSigners: [SignerDocument]
    /// True if tapkit refuses to sign it, whoever's signature is missing; else absent.
    let refused: Bool?
    let missing: Int
    /// Seconds since 1970.
    let created: Int64
    /// ISO 8601, like all keys with this ending.
    let createdAt: String
    /// Seconds since 1970.
    let updated: Int64
    let updatedAt: String
    /// Seconds since 1970; `nil`: not sent.
    let sent: Int64?
    let sentAt: String?
    /// The height of its block or, if it was replaced, of its replacement's block.
    let height: Int?
    let confirmations: Int
    /// The confirmed transaction that spends one of its coins.
    let replacedBy: String?

    /// A transaction as a list has it; texts that people wrote are made harmless.
    package init(_ listing: TransactionListing) {
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
        onlyChange = listing.sent != nil && listing.payees.isEmpty ? true : nil
        feeSat = summary.fee?.satoshis
        signedBy = summary.signedBy.map(\.description)
        canSign = listing.signers.map(\.fingerprint.description)
        nextSigners = listing.signers.map(SignerDocument.init)
        refused = listing.isRefused ? true : nil
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

/// Someone who can add a missing signature, as JSON.
package struct SignerDocument: Encodable {
    let fingerprint: String
    /// The card known to have this master key.
    let ident: String?
    /// The name that the user gave the card.
    let name: String?

    /// Whoever has the key with this fingerprint, with the card if it is known.
    package init(_ signer: TransactionListing.Signer) {
        fingerprint = signer.fingerprint.description
        ident = signer.card?.ident.text
        name = signer.card?.shownName
    }
}
