import Bitcoin

/// Why a wallet cannot be told in a format.
package enum ExportError: Error, Equatable, Sendable {
    /// The format has one account; the wallet has so many.
    case severalAccounts(Int)
    /// The descriptor of this number, from 1, is none of those that the format knows.
    case unusualDescriptor(Int)
    /// The descriptor of this number, from 1, has its keys in an order of its own, which other programs would sort.
    case unsortedKeys(Int)
    /// There are addresses and no change, or the reverse, and the format has both.
    case oneBranch
    /// The format is for several keys.
    case multisigOnly
    /// The format tells a card's key, and no wallet.
    case cardsOnly
    /// The card stands at this path, which is that of one key among others: it has no wallet of its own there.
    case cosignersPath(DerivationPath)
    /// This path stands for no kind of addresses, and the format names one.
    case noKind(DerivationPath)
    /// The key of this number, from 1, says nothing of its master key and path, which the format needs.
    case noOrigin(Int)
    /// The format has no place for a key at this path; one that it has a place for.
    case unusualPath(DerivationPath, usual: DerivationPath)
    /// The format has at most so many keys.
    case tooManyKeys(limit: Int)
    /// A text that the format has no way to write: too long, or of several lines.
    case badText
}
