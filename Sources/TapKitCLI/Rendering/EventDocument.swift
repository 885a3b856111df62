import SmartCard
import TapManager

/// An event at a reader, as `tapkit readers --watch` shows it.
struct EventDocument: Encodable {
    let event: String
    let spec: String
    /// A card that was laid down, when it is a tap card.
    private(set) var card: ReaderDocument.Card?
    /// Why a card that was laid down cannot be used.
    private(set) var problem: String?

    /// An event; of a card that was laid down, it is found out which one it is.
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

    /// For people.
    var line: String {
        let what = event.split(separator: "_").joined(separator: " ")
        return ([what, spec] + [card?.words, problem].compactMap(\.self)).joined(
            separator: "  ")
    }
}
