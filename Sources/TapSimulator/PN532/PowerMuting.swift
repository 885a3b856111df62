/// Keeps a card mute when it gets power, until it is taken off the reader.
struct PowerMuting {
    /// How many more times the card is powered until it is mute, that time included. 0: it is mute; `nil`: it never is.
    private var remaining: Int?

    /// - Parameter number: the time that the card gets power and is mute, counted from 1; `nil` for never.
    init(atPowerUp number: Int? = nil) { remaining = number.map { max(1, $0) } }

    /// Whether the card in the field is mute.
    var isMute: Bool { remaining == 0 }

    /// The card gets power.
    /// - Returns: whether it answers.
    mutating func powerUp() -> Bool {
        remaining = remaining.map { max(0, $0 - 1) }
        return !isMute
    }

    /// The card leaves the field; one that comes later answers.
    mutating func takeAway() {
        if isMute { remaining = nil }
    }
}
