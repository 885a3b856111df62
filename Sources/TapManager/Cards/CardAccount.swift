import Bitcoin

/// A card's account, proven by the card.
public struct CardAccount: Sendable {
    /// The account at the card's path, and the master key's fingerprint.
    public let account: Account
    /// The card.
    public let card: CardAtHand
}
