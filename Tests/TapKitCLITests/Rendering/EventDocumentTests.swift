import SmartCard
import TapManager
import Testing

@testable import AnswerDocuments
@testable import TapKitCLI

@Suite struct EventDocumentTests {
    /// A reader's name comes from the reader; in JSON, too, it may end up on a terminal.
    @Test func aReadersNameMovesNoCursor() async {
        let manager = CardManager(store: MemoryStore(), clock: { UnixTime(seconds: 0) })
        let spec = "pcsc:Reader \u{9B}31m\u{202E}00"
        for event in [ReaderEvent.readerAttached(spec: spec), .readerDetached(spec: spec), .cardRemoved(spec: spec)] {
            let document = await EventDocument(event, manager)
            #expect(document.spec == "pcsc:Reader \u{FFFD}31m\u{FFFD}00")
            #expect(JSONDocument.answer(document).unicodeScalars.allSatisfy { $0 != "\u{9B}" && $0 != "\u{202E}" })
        }
    }

    /// Why a card cannot be used, for programs, and what to do: in JSON beside the event, for people below its line.
    @Test func aCardThatCannotBeUsedIsExplained() {
        let document = EventDocument(.cardInserted(spec: "pcsc:Reader"), look: .failure(.unreadable))
        let failure = Failure(CardSearchError.unreadable)
        #expect(document.problem == failure.message && document.problemCode == failure.code.rawValue)
        #expect(document.hint == failure.hint && !failure.hint.isEmpty)
        #expect(document.line == "card inserted  pcsc:Reader  \(failure.message)")
        #expect(document.remarks == ["  → \(failure.hint)"])
        #expect(JSONDocument.answer(document).contains(#""problem_code":"\#(failure.code.rawValue)""#))
    }
}
