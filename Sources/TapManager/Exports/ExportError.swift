import Bitcoin

/// Why a format cannot express a wallet.
package enum ExportError: Error, Equatable, Sendable {
    /// The format supports one account; the wallet has this many.
    case severalAccounts(Int)
    /// The format does not support the descriptor with this number, from 1.
    case unusualDescriptor(Int)
    /// The descriptor with this number, from 1, has its keys in a fixed order, but other programs would sort them.
    case unsortedKeys(Int)
    /// The policy is not a `wsh` of extended keys that end in `/<0;1>/*` or the like, in one descriptor.
    case unusualPolicy
    /// Liana does not have such wallets.
    case lianaRule(LianaRule)
    /// There are addresses but no change, or the reverse; the format needs both.
    case oneBranch
    /// The format is for several keys.
    case multisigOnly
    /// The format is for a card's key, not for a wallet.
    case cardsOnly
    /// The card is at this path, which is a cosigner's: it has no wallet of its own there.
    case cosignersPath(DerivationPath)
    /// This path implies no kind of addresses, but the format needs one.
    case noKind(DerivationPath)
    /// The key with this number, from 1, has no master key and path, which the format needs.
    case noOrigin(Int)
    /// The format does not support a key at this path; with a path that it supports.
    case unusualPath(DerivationPath, usual: DerivationPath)
    /// The most keys that the format supports.
    case tooManyKeys(limit: Int)
    /// A text that the format cannot have: too long, or of several lines.
    case badText
}
