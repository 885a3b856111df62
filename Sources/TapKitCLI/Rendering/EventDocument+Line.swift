import AnswerDocuments
import SmartCard
import TapManager

extension EventDocument {
    /// An event. If a card was put on the reader, it is identified.
    init(_ event: ReaderEvent, _ manager: CardManager) async {
        let look: Result<CardAtHand?, CardSearchError>? =
            if case .cardInserted(let reader) = event { await manager.cards(on: [reader]).first } else { nil }
        self.init(event, look: look)
    }

    /// - Parameter look: what is on the reader of the event, if a card was put there.
    init(_ event: ReaderEvent, look: Result<CardAtHand?, CardSearchError>?) {
        switch look {
        case .success(let card)?: self.init(event, card: card)
        case .failure(let error)?: self.init(event, card: nil, problem: ProblemDocument(Failure(error)))
        case nil: self.init(event, card: nil)
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
