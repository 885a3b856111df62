/// The number of a SATSCARD's slot: counted from 0 on the wire, from 1 for people. This is the only place that converts
/// between the two. A slot number need not exist on the card at hand: `CardStatus.Slots` has the card's count.
///
/// Spec: protocol, first section.
public struct SlotNumber: Hashable, Comparable, Sendable, CustomStringConvertible {
    /// The number on the wire; the first slot is 0.
    public let index: Int

    /// The slot that the protocol numbers `index`, 0 or more.
    public init(index: Int) { self.index = index }

    /// The slot that people number `number`; `nil` for a number below 1.
    public init?(forPeople number: Int) {
        guard number >= 1 else { return nil }
        self.init(index: number - 1)
    }

    /// The number that people see; the first slot is 1.
    public var forPeople: Int { index &+ 1 }

    /// Ordered by their place on the card.
    public static func < (left: Self, right: Self) -> Bool { left.index < right.index }

    /// The number that people see, in decimal digits.
    public var description: String { String(forPeople) }
}
