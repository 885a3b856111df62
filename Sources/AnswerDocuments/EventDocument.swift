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
    package let card: ReaderDocument.Card?
    /// Why the card that was put on the reader cannot be used.
    package let problem: String?
    /// The same for programs: an `ErrorCode`.
    let problemCode: String?
    /// What to do about it.
    package let hint: String?

    /// An event with the card that was put on the reader, or with what keeps it from being used.
    /// - Parameters:
    ///   - card: `nil`: none, or one that cannot be used.
    ///   - problem: `nil`: none.
    package init(_ event: ReaderEvent, card: CardAtHand?, problem: ProblemDocument? = nil) {
        spec = TerminalText.neutralized(event.spec)
        switch event {
        case .readerAttached: self.event = "reader_attached"
        case .readerDetached: self.event = "reader_detached"
        case .cardRemoved: self.event = "card_removed"
        case .cardInserted: self.event = "card_inserted"
        }
        self.card = card.map(ReaderDocument.Card.init)
        (self.problem, problemCode, hint) = (problem?.message, problem?.code, problem?.hint)
    }
}
