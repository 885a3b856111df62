import Bitcoin
import SmartCard
import TapManager
import TapProtocol
import TextLayout

/// Something that happened, as a stream of events has it.
package struct ManagerEventDocument: Encodable {
    /// What happened; the names do not change.
    let event: String
    private(set) var reader: String?
    /// The ident of the card.
    private(set) var card: String?
    private(set) var product: String?
    private(set) var simulated: Bool?
    private(set) var flow: FlowEventDocument?
    /// The flow whose journal changed.
    private(set) var kind: String?
    /// A transaction's id.
    private(set) var id: String?
    private(set) var added: Int?
    private(set) var missing: Int?
    private(set) var input: Int?
    private(set) var fingerprint: String?
    private(set) var by: String?
    private(set) var wallet: String?
    private(set) var addresses: Int?
    private(set) var used: Int?
    private(set) var transactions: Int?
    private(set) var confirmedSat: Int64?
    private(set) var unconfirmedSat: Int64?
    private(set) var height: Int?
    private(set) var server: String?
    private(set) var count: Int?

    /// An event with what it names; everything else is absent.
    package init(_ event: ManagerEvent) {
        self.event = Self.name(of: event)
        switch event {
        case .reader(let event): reader = TerminalText.neutralized(event.spec)
        case .card(let event): take(event)
        case .flow(let card, let event): (self.card, flow) = (card.text, FlowEventDocument(event, of: card))
        case .journal(let card, .recorded(let kind)), .journal(let card, .finished(let kind)):
            (self.card, self.kind) = (card.text, kind.rawValue)
        case .signing(let id, .began(let card)): (self.id, self.card) = (id.description, card.text)
        case .signing(let id, .ended(let card, let added, let missing)):
            (self.id, self.card, self.added, self.missing) = (id.description, card.text, added, missing)
        case .wallet(let name, let event):
            wallet = TerminalText.neutralized(name)
            take(event)
        case .transaction(let id, let event):
            self.id = id.description
            if case .signed(let input, let signer) = event { (self.input, fingerprint) = (input, signer.description) }
            if case .replaced(let replacement) = event { by = replacement.description }
        case .labels(let count): self.count = count
        }
    }

    private mutating func take(_ event: CardEvent) {
        switch event {
        case .found(let seen), .gone(let seen):
            (card, product) = (seen.ident.text, seen.product.rawValue)
            (reader, simulated) = (TerminalText.neutralized(seen.reader), seen.isSimulated ? true : nil)
        case .remembered(let record): (card, product) = (record.ident.text, record.product.rawValue)
        case .forgotten(let ident): card = ident.text
        }
    }

    private mutating func take(_ event: WalletEvent) {
        switch event {
        case .searching(let addresses, let used, let transactions):
            (self.addresses, self.used, self.transactions) = (addresses, used, transactions)
        case .synchronized(let state):
            (confirmedSat, unconfirmedSat) = (state.confirmed?.satoshis, state.unconfirmed?.satoshis)
            (height, server) = (state.height, TerminalText.neutralized(state.server))
        case .added, .changed, .removed: break
        }
    }

    /// What an event is called.
    private static func name(of event: ManagerEvent) -> String {
        switch event {
        case .reader(.readerAttached): "reader_attached"
        case .reader(.readerDetached): "reader_detached"
        case .reader(.cardInserted): "card_inserted"
        case .reader(.cardRemoved): "card_removed"
        case .card(.found): "card_found"
        case .card(.gone): "card_gone"
        case .card(.remembered): "card_remembered"
        case .card(.forgotten): "card_forgotten"
        case .flow: "flow"
        case .journal(_, .recorded): "journal_recorded"
        case .journal(_, .finished): "journal_finished"
        case .signing(_, .began): "signing_began"
        case .signing(_, .ended): "signing_ended"
        case .wallet(_, .added): "wallet_added"
        case .wallet(_, .changed): "wallet_changed"
        case .wallet(_, .searching): "wallet_searching"
        case .wallet(_, .synchronized): "wallet_synchronized"
        case .wallet(_, .removed): "wallet_removed"
        case .transaction(_, .stored): "transaction_stored"
        case .transaction(_, .changed): "transaction_changed"
        case .transaction(_, .signed): "transaction_signed"
        case .transaction(_, .sent): "transaction_sent"
        case .transaction(_, .replaced): "transaction_replaced"
        case .transaction(_, .restored): "transaction_restored"
        case .transaction(_, .overtaken): "transaction_overtaken"
        case .transaction(_, .confirmed): "transaction_confirmed"
        case .transaction(_, .deleted): "transaction_deleted"
        case .labels: "labels_saved"
        }
    }
}
