import Bitcoin

/// A card's account, proven by the card.
public struct CardAccount: Sendable {
    /// The account at the card's path, and the master key's fingerprint.
    public let account: Account
    /// The master key, by which all of the card's keys can be recognized; hardened accounts cannot be derived from it.
    package let masterKey: ExtendedPublicKey
    /// The card that proved it.
    public let card: CardAtHand
}
