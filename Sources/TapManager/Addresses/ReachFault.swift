import Bitcoin

/// Why a card's word is not enough to call an address verified: the card could not sign for what is paid there, or nobody
/// would find it. Who has such an address paid to can be held to ransom.
///
/// Spec: threats, "The PSBT lies" (ransom by lost path); BIP-44, "Address gap limit".
package enum ReachFault: Error, Sendable, Equatable {
    /// The card signs no taproot inputs.
    case taproot
    /// Below the card's path stand at most two unhardened steps.
    case notSignable(DerivationPath)
    /// The path does not end in 0 or 1 and a number.
    case unusualBranch(DerivationPath)
    /// The keys of the address do not all stand at the same branch and number.
    case keysApart
    /// The number is far behind the next one without a use; `nil`: nobody knows which are in use.
    case farIndex(UInt32, next: UInt32?)
}

extension ReachFault: CustomStringConvertible {
    /// What is wrong, in one sentence.
    package var description: String {
        switch self {
        case .taproot: "The address is a taproot one, and the card signs none of those."
        case .notSignable(let path):
            "The card cannot sign at \(path): below its own path it takes at most two unhardened steps."
        case .unusualBranch(let path): "Wallets do not look at \(path): it does not end in 0 or 1 and a number."
        case .keysApart:
            "The keys of the address do not all stand at the same branch and number: wallets do not look there."
        case .farIndex(let index, let next?):
            "The address has the number \(index), and the next unused one is \(next): wallets do not look that far."
        case .farIndex(let index, nil): "The address has the number \(index): wallets do not look that far."
        }
    }
}
