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
        switch event {
        case .readerAttached(let spec): (self.event, self.spec) = ("reader_attached", TerminalText.neutralized(spec))
        case .readerDetached(let spec): (self.event, self.spec) = ("reader_detached", TerminalText.neutralized(spec))
        case .cardRemoved(let spec): (self.event, self.spec) = ("card_removed", TerminalText.neutralized(spec))
        case .cardInserted(let spec):
            (self.event, self.spec) = ("card_inserted", TerminalText.neutralized(spec))
            guard let reader = ReaderSpec(parsing: spec)?.reader else { return }
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
