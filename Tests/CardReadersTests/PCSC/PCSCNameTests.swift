import CardReaders
import Testing

/// Which of the service's readers a text means.
@Suite struct PCSCNameTests {
    private static let card = "ACS ACR1252 Dual Reader [ACR1252 Dual Reader PICC] "
    private static let module = "ACS ACR1252 Dual Reader [ACR1252 Dual Reader SAM] "

    /// The slot for a module may come first, and gets the other number the next time it is plugged in.
    @Test(arguments: [("00 00", "01 00"), ("01 00", "00 00")])
    func theSlotForCardsIsMeant(_ first: String, _ second: String) {
        let names = [Self.card + first, Self.module + second].sorted()
        func meant(_ filter: String?) -> [String] { names.filter { PCSCBackend.isMeant($0, by: filter) } }
        for filter in [nil, "ACR1252", "acs", "picc", Self.card, Self.card + first] {
            #expect(meant(filter) == [Self.card + first], "\(filter ?? "any")")
        }
        #expect(meant(first) == [Self.card + first] && meant(second).isEmpty)
        for filter in ["SAM", "sam", Self.module, Self.module + second] {
            #expect(meant(filter) == [Self.module + second], "\(filter)")
        }
    }

    @Test(arguments: ["ACS ACR1252 1S CL Reader SAM 0", "ACS ACR1581 1S CL Reader SAM Slot 00 00"])
    func aSlotForAModuleIsKnownByItsName(_ name: String) {
        #expect(!PCSCBackend.isMeant(name, by: nil) && PCSCBackend.isMeant(name, by: name))
    }

    @Test(arguments: ["Virtual PCD 00 00", "SAMSUNG Reader 00 00", "Sam's Reader 00 00", "ACS ACR122U 00 00"])
    func otherNamesAreOfReaders(_ name: String) { #expect(PCSCBackend.isMeant(name, by: nil)) }
}
