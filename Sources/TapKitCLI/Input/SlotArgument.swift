import TapProtocol

/// Slot numbers as the user types them, from 1.
enum SlotArgument {
    /// Parses a slot number.
    static func parse(_ number: Int) throws(Failure) -> SlotNumber {
        guard let slot = SlotNumber(forPeople: number) else {
            throw Failure(.usage, "There is no slot \(number): slots are numbered from 1.")
        }
        return slot
    }
}
