import SmartCard
import Testing

@Suite struct ReaderErrorTests {
    @Test func theDescriptionSaysWhatHappenedAndWhatToDo() {
        #expect("\(ReaderError(.noCard, "No card.", remedy: "Lay one there."))" == "No card. (Lay one there.)")
        #expect("\(ReaderError(.timedOut, "Too late."))" == "Too late.")
    }

    @Test func everyKindHasACodeOfItsOwn() {
        let codes = ReaderError.Kind.allCases.map(\.code)
        #expect(Set(codes).count == codes.count)
    }

    @Test func onlyALostCardIsLost() {
        let lost = ReaderError.Kind.allCases.filter { ReaderError($0, "").isCardLost }
        #expect(Set(lost) == [.noCard, .cardRemoved, .cardReset])
    }
}
