import Bitcoin
import SmartCard
import TapManager
import TapProtocol
import TextLayout

/// Everything that is known without asking a card, a server or a person.
package struct SnapshotDocument: Encodable {
    struct Reader: Encodable {
        let spec: String
        let name: String
        let backend: String
        /// Whether a card is on it; `nil` while nobody watches the readers.
        let occupied: Bool?
        let card: SeenCardDocument?
    }

    struct Card: Encodable {
        let ident: String
        let product: String?
        let name: String?
        let fingerprint: String?
        let simulated: Bool?
        /// What was begun with it, and is not finished.
        let unfinished: [String]
    }

    let readers: [Reader]
    let cards: [Card]
    let wallets: [WalletDocument]
    let transactions: [TransactionSummaryDocument]
    let problems: [ProblemDocument]?

    /// - Parameter transactions: those of the snapshot, with what lists show.
    package init(_ now: ManagerSnapshot, transactions: [TransactionListing]) {
        readers = now.readers.map { reader in
            Reader(
                spec: TerminalText.neutralized(reader.spec), name: TerminalText.neutralized(reader.name),
                backend: reader.kind.rawValue, occupied: reader.isOccupied, card: reader.card.map(SeenCardDocument.init)
            )
        }
        cards = now.cards.map { card in
            Card(
                ident: card.ident.text, product: card.record?.product.rawValue, name: card.record?.shownName,
                fingerprint: card.record?.fingerprint?.description, simulated: card.isSimulated ? true : nil,
                unfinished: card.unfinished.map(\.kind.rawValue))
        }
        wallets = now.wallets.map(WalletDocument.init)
        self.transactions = transactions.map(TransactionSummaryDocument.init)
        problems = now.problems.isEmpty ? nil : now.problems.map(ProblemDocument.init(explaining:))
    }
}

/// A card that was found on a reader; it has proven nothing yet.
package struct SeenCardDocument: Encodable {
    let ident: String
    let product: String
    let reader: String
    let simulated: Bool?

    /// What a card claims.
    package init(_ card: SeenCard) {
        ident = card.ident.text
        product = card.product.rawValue
        reader = TerminalText.neutralized(card.reader)
        simulated = card.isSimulated ? true : nil
    }
}
