import SmartCard
import TapManager
import Testing

@testable import AnswerDocuments

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
}
