import Bitcoin
import TapManager

/// What a program asks a person for instead of asking at every signature: so long, so many signatures, one card, one
/// wallet, and at most so much money.
package struct LeaseOffer: Sendable {
    /// Who asks for it.
    package let program: String
    /// The wallet that may be spent from, with its descriptors: one that is changed later is another one.
    package let wallet: StoredWallet
    /// The card that signs.
    package let card: CardAtHand
    /// How long it lasts, in minutes.
    package let minutes: Int
    /// How many signatures the card makes at most: one for each input.
    package let signatures: Int
    /// How much may leave the wallet in all, fees included.
    package let limit: Amount

    /// The longest one: a day.
    static let minutes = 1...1_440
    /// The most signatures.
    static let signatures = 1...1_000
}
