/// What happens at a simulated chip.
public enum PN532Event: Sendable, Equatable {
    /// A host woke the chip up.
    case awake
    /// A host activated the card.
    case activated
    /// The card was taken out of the field.
    case pulled
    /// A card was put into the field.
    case laidDown
    /// The card's file cannot be written; the command was undone.
    case cardFailed(SimulatedCardError)
    /// The pseudo-terminal failed, with the system's reason; the server has ended.
    case portFailed(String)
}
