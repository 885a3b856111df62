import CPCSC
import SmartCard
import Testing

@testable import CardReaders

@Suite struct PCSCKnownReadersTests {
    private func seen(_ readers: [(String, Int32, DWORD)]) -> [(name: String, state: PCSCReaderState)] {
        readers.map { name, flags, count in
            var state = SCARD_READERSTATE()
            state.dwEventState = DWORD(flags) | count << 16
            return (name, PCSCReaderState(state))
        }
    }

    @Test func theFirstLookTellsWhatIsThere() {
        var known = PCSCKnownReaders()
        #expect(known.update([]) == [])
        let events = known.update(seen([("A", SCARD_STATE_EMPTY, 0), ("B", SCARD_STATE_PRESENT, 1)]))
        #expect(
            events == [
                .readerAttached(spec: "pcsc:A"), .readerAttached(spec: "pcsc:B"), .cardInserted(spec: "pcsc:B"),
            ])
        #expect(known.update(seen([("A", SCARD_STATE_EMPTY, 0), ("B", SCARD_STATE_PRESENT, 1)])) == [])
    }

    @Test func cardsComeAndGo() {
        var known = PCSCKnownReaders()
        _ = known.update(seen([("A", SCARD_STATE_EMPTY, 0)]))
        #expect(known.update(seen([("A", SCARD_STATE_PRESENT, 1)])) == [.cardInserted(spec: "pcsc:A")])
        #expect(known.update(seen([("A", SCARD_STATE_PRESENT | SCARD_STATE_INUSE, 1)])) == [])
        #expect(known.update(seen([("A", SCARD_STATE_EMPTY, 2)])) == [.cardRemoved(spec: "pcsc:A")])
    }

    @Test func aShortAbsenceIsTold() {
        var known = PCSCKnownReaders()
        _ = known.update(seen([("A", SCARD_STATE_PRESENT, 1)]))
        #expect(
            known.update(seen([("A", SCARD_STATE_PRESENT, 3)])) == [
                .cardRemoved(spec: "pcsc:A"), .cardInserted(spec: "pcsc:A"),
            ])
    }

    @Test func aReaderTakesItsCardWithIt() {
        var known = PCSCKnownReaders()
        _ = known.update(seen([("A", SCARD_STATE_PRESENT, 1), ("B", SCARD_STATE_EMPTY, 0)]))
        #expect(
            known.update(seen([("B", SCARD_STATE_EMPTY, 0), ("C", SCARD_STATE_PRESENT | SCARD_STATE_MUTE, 1)])) == [
                .cardRemoved(spec: "pcsc:A"), .readerDetached(spec: "pcsc:A"),
                .readerAttached(spec: "pcsc:C"), .cardInserted(spec: "pcsc:C"),
            ])
    }
}
