import SmartCard
import Testing

@Suite struct ReaderErrorTests {
    @Test func theDescriptionSaysWhatHappenedAndWhatToDo() {
        #expect("\(ReaderError(.noCard, "No card.", hint: "lay one there"))" == "No card. (lay one there)")
        #expect("\(ReaderError(.timedOut, "Too late."))" == "Too late.")
    }

    @Test func codesAreLowerSnakeCaseAndUnique() {
        let codes = ReaderError.Code.allCases.map(\.rawValue)
        #expect(Set(codes).count == codes.count)
        #expect(codes.allSatisfy { $0.allSatisfy { $0 == "_" || ("a"..."z").contains($0) } })
    }

    @Test func onlyALostCardIsLost() {
        let lost = ReaderError.Code.allCases.filter { ReaderError($0, "").isCardLost }
        #expect(Set(lost) == [.noCard, .cardRemoved, .cardReset])
    }
}
