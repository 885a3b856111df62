import SmartCard
import TapManager
import TextLayout

/// An event at a reader, as a list of events has it.
package struct EventDocument: Encodable {
    /// `reader_attached`, `reader_detached`, `card_inserted` or `card_removed`.
    package let event: String
    /// The reader's name as `--reader` takes it, made harmless.
    package let spec: String
    /// The card that was put on the reader, if it is a tap card.
    package private(set) var card: ReaderDocument.Card?
    /// Why the card that was put on the reader cannot be used.
    package private(set) var problem: String?

    /// An event. If a card was put on the reader, it is identified.
    package init(_ event: ReaderEvent, _ manager: CardManager) async {
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
}
