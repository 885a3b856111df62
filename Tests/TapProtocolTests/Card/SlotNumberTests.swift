import TapProtocol
import Testing

@Suite struct SlotNumberTests {
    @Test func countsFromZeroOnTheWireAndFromOneForPeople() throws {
        for index in 0..<10 {
            let slot = SlotNumber(index: index)
            #expect(slot.index == index)
            #expect(slot.forPeople == index + 1)
            #expect(slot.description == "\(index + 1)")
            #expect(try #require(SlotNumber(forPeople: index + 1)) == slot)
        }
        #expect(SlotNumber(index: 0) < SlotNumber(index: 1))
    }

    @Test(arguments: [0, -1, Int.min])
    func peopleHaveNoSuchSlot(number: Int) { #expect(SlotNumber(forPeople: number) == nil) }
}
