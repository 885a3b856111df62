/// A simulated device with a card in its field. It never waits by itself: the code that runs it supplies the host's
/// bytes, the card's responses and the time, and takes what comes of them.
protocol FieldDevice {
    /// When to call `tick` at the latest; `nil` if nothing has a time limit.
    var deadline: ContinuousClock.Instant? { get }

    /// Incremented whenever the card loses power: its current work is lost.
    var powerLosses: Int { get }

    /// Ends what has timed out by now.
    mutating func tick(at now: ContinuousClock.Instant)

    /// Puts a card into the field, in place of another.
    mutating func lay(_ target: any PN532Target)

    /// Removes the card; a pending command to it is not answered any more.
    mutating func takeAway()

    /// Takes the APDU to be sent to the card.
    mutating func takeQuestion() -> [UInt8]?

    /// Takes the card's response; `nil` means that it left.
    mutating func cardAnswered(_ bytes: [UInt8]?)
}
