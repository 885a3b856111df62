import TapProtocol

/// Slot numbers as people type them, from 1.
enum SlotArgument {
    /// Reads a slot's number.
    static func parse(_ number: Int) throws(Failure) -> SlotNumber {
        guard let slot = SlotNumber(forPeople: number) else {
            throw Failure(.usage, "Slots are counted from 1, so there is no slot \(number).")
        }
        return slot
    }
}
