import Bitcoin

/// Why a card's proof is not enough to call an address verified: the card could not sign for it, or nobody would find
/// the money there. A user whose money is paid to such an address can be held to ransom.
///
/// Spec: threats, "The PSBT lies" (ransom by lost path); BIP-44, "Address gap limit".
package enum ReachFault: Error, Sendable, Equatable {
    /// The card cannot sign taproot inputs.
    case taproot
    /// More than two unhardened steps, or other steps that cannot follow the card's path.
    case notSignable(DerivationPath)
    /// The path does not end in 0 or 1 and an index.
    case unusualBranch(DerivationPath)
    /// The keys of the address are not all at the same branch and index.
    case keysApart
    /// The index is far after the next unused one; `nil`: it is unknown which are in use.
    case farIndex(UInt32, next: UInt32?)
}

extension ReachFault: CustomStringConvertible {
    /// What is wrong, in one sentence.
    package var description: String {
        switch self {
        case .taproot: "This is a taproot address, and the card cannot sign for those."
        case .notSignable(let path):
            "The card cannot sign at \(path): at most two unhardened steps can follow the card's own path."
        case .unusualBranch(let path): "Wallets do not look at \(path): it does not end in 0 or 1 and an index."
        case .keysApart:
            "The keys of the address are not all at the same branch and index. Wallets do not look there."
        case .farIndex(let index, let next?):
            "The address has the index \(index), and the next unused one is \(next). Wallets do not look that far."
        case .farIndex(let index, nil): "The address has the index \(index). Wallets do not look that far."
        }
    }
}
