import Testing

@testable import CardReaders

/// A reader that was unplugged is known again, whichever number it gets.
@Suite struct PCSCReaderPlaceTests {
    private static let model = "ACS ACR122U PICC Interface"
    private let place = PCSCReaderPlace("\(model) 01 00")

    private func readers(_ numbers: String...) -> [String] { numbers.map { "\(Self.model) \($0)" } }

    @Test func itMayComeBackWithAnotherNumber() {
        place.settle(on: place.name, among: readers("01 00"))
        #expect(place.names(among: []).isEmpty)
        #expect(place.names(among: readers("00 00")) == readers("00 00"))
        #expect(place.names(among: readers("00 00", "02 00")) == readers("00 00", "02 00"))
        // Its own number comes before all others.
        #expect(place.names(among: readers("00 00", "01 00")) == readers("01 00"))
    }

    /// What was beside it all the time is another one, until it is gone as well: its number is given again.
    @Test func whatWasBesideItIsAnotherOne() {
        place.settle(on: place.name, among: readers("00 00", "01 00"))
        #expect(place.names(among: readers("00 00")).isEmpty)
        #expect(place.names(among: readers("00 00", "02 00")) == readers("02 00"))
        #expect(place.names(among: []).isEmpty)
        #expect(place.names(among: readers("00 00")) == readers("00 00"))
    }

    /// Nobody has seen a card at it yet: whatever else is there is not what was asked for.
    @Test func beforeItsFirstConnectionOnlyItsNameCounts() {
        #expect(place.names(among: readers("00 00")).isEmpty)
        #expect(place.names(among: readers("00 00", "01 00")) == readers("01 00"))
    }

    @Test(arguments: [
        "ACS ACR1252 Dual Reader 00 00", "ACS ACR122U PICC Interface 00 01", "ACS ACR122U PICC Interface",
    ])
    func otherModelsAndSlotsAreOthers(_ name: String) {
        place.settle(on: place.name, among: readers("01 00"))
        #expect(place.names(among: [name]).isEmpty)
    }

    /// The next connection is at the new number: the old one belongs to whoever gets it.
    @Test func itSettlesOnItsNewNumber() {
        place.settle(on: place.name, among: readers("01 00"))
        place.settle(on: "\(Self.model) 00 00", among: readers("00 00"))
        #expect(place.name == "\(Self.model) 00 00")
        #expect(place.names(among: readers("00 00", "01 00")) == readers("00 00"))
        #expect(place.names(among: readers("01 00")) == readers("01 00"))
    }
}
