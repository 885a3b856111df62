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
    /// The same for programs: one of `tapkit help errors`.
    private(set) var problemCode: String?
    /// What to do about it.
    private(set) var hint: String?

    /// An event. If a card was put on the reader, it is identified.
    init(_ event: ReaderEvent, _ manager: CardManager) async {
        let look: Result<CardAtHand?, CardSearchError>? =
            if case .cardInserted(let reader) = event { await manager.cards(on: [reader]).first } else { nil }
        self.init(event, look: look)
    }

    /// - Parameter look: what is on the reader of the event, if a card was put there.
    init(_ event: ReaderEvent, look: Result<CardAtHand?, CardSearchError>?) {
        spec = TerminalText.neutralized(event.spec)
        switch event {
        case .readerAttached: self.event = "reader_attached"
        case .readerDetached: self.event = "reader_detached"
        case .cardRemoved: self.event = "card_removed"
        case .cardInserted: self.event = "card_inserted"
        }
        switch look {
        case .success(let found)?: card = found.map(ReaderDocument.Card.init)
        case .failure(let error)?:
            let document = ProblemDocument(Failure(error))
            (problem, problemCode, hint) = (document.message, document.code, document.hint)
        case nil: break
        }
    }

    /// For the user.
    var line: String {
        let what = event.split(separator: "_").joined(separator: " ")
        return ([what, spec] + [card?.words, problem].compactMap(\.self)).joined(
            separator: "  ")
    }

    /// What to do, on a line of its own beside the events.
    var remarks: [String] { hint.map { ["  → \($0)"] } ?? [] }
}
