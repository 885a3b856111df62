import TapProtocol

/// What cards have proven about a wallet's address.
public struct AddressProof: Sendable, Equatable {
    /// The cards that have a key of the address, and of the change that goes with it.
    public let cards: [CardIdent]
    /// How many keys the address has, each once, on however many spending paths it is.
    package let keyCount: Int
    /// How many of them no card has proven.
    package let unprovenKeyCount: Int
    /// How few of the unproven keys can spend together, once every lock is open and every preimage known; `nil`: all of them
    /// cannot, without these cards' keys.
    package let fewestOthers: Int?
    /// Whether the unproven keys cannot spend before a lock has opened.
    package let othersNeedLock: Bool

    /// Whether each of the cards registered the wallet as it is.
    package let isRegistered: Bool

    /// How many keys the cards have proven.
    package var provenKeyCount: Int { keyCount - unprovenKeyCount }
    /// Whether nobody can spend without these cards.
    package var isSafe: Bool { fewestOthers == nil }
}
