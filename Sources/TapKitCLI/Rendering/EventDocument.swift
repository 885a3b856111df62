import SmartCard
import TapManager

/// An event at a reader, as `tapkit readers --watch` shows it.
struct EventDocument: Encodable {
    let event: String
    let spec: String
    /// The card that was put on the reader, if it is a tap card.
    private(set) var card: ReaderDocument.Card?
    /// Why the card that was put on the reader cannot be used.
    private(set) var problem: String?

    /// An event. If a card was put on the reader, it is identified.
    init(_ event: ReaderEvent, _ manager: CardManager) async {
        spec = TerminalText.neutralized(event.spec)
        switch event {
        case .readerAttached: self.event = "reader_attached"
        case .readerDetached: self.event = "reader_detached"
        case .cardRemoved: self.event = "card_removed"
        case .cardInserted(let reader):
            self.event = "card_inserted"
            switch await manager.cards(on: [reader]).first {
            case .success(let found)?: card = found.map(ReaderDocument.Card.init)
            case .failure(let error)?: problem = TerminalText.neutralized(error.message)
            case nil: break
            }
        }
    }

    /// For the user.
    var line: String {
        let what = event.split(separator: "_").joined(separator: " ")
        return ([what, spec] + [card?.words, problem].compactMap(\.self)).joined(
            separator: "  ")
    }
}
