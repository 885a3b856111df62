import TapProtocol

/// What cards have proven about a wallet's address.
public struct AddressProof: Sendable, Equatable {
    /// The cards that have a key of the address, and of the change that goes with it.
    public let cards: [CardIdent]
    /// How many keys the address has.
    package let keyCount: Int
    /// How many of its keys can spend from it together.
    package let threshold: Int

    /// How many of them the cards have proven.
    package let provenKeyCount: Int

    /// Whether each of the cards registered the wallet as it is.
    package let isRegistered: Bool

    /// How many keys no card has proven.
    package var unprovenKeyCount: Int { keyCount - provenKeyCount }
    /// Whether the keys that no card has proven are too few to spend without these cards.
    package var isSafe: Bool { unprovenKeyCount < threshold }
}
