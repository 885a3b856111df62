/// Which card is to be in a device's field, if any.
struct CardPlacement {
    private(set) var target: any PN532Target
    private(set) var isPresent = true
    /// Incremented whenever a card is removed or put down.
    private(set) var changes = 0

    /// The card is in the field.
    init(_ target: any PN532Target) { self.target = target }

    /// Removes the card.
    mutating func remove() {
        isPresent = false
        changes += 1
    }

    /// Puts the card back, or another one in its place; a card that is there already is not put down again.
    mutating func put(_ other: (any PN532Target)? = nil) {
        if isPresent, other == nil { return }
        isPresent = true
        changes += 1
        if let other { target = other }
    }
}
