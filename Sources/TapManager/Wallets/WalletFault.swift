/// Why a wallet is not used although its descriptors are valid: they can send its money to keys that are not its own.
///
/// Spec: threats, "The wallet's own descriptors".
package enum WalletFault: Error, Sendable, Equatable {
    /// In this descriptor, one holder has two cosigners' keys (see `SharedCosigner`); all numbers count from 1.
    case repeatedKey(descriptor: Int, Int, Int)
    /// Two descriptors, by their numbers from 1, differ in what all of a wallet's descriptors must share.
    case differ(Int, Int, Difference)
    /// This descriptor, by its number from 1, has receive addresses but no matching change addresses, while others of
    /// the wallet do; or the reverse.
    case unpaired(Int, isChange: Bool)

    /// What two descriptors of one wallet must have in common.
    package enum Difference: Sendable, Equatable, CaseIterable {
        /// The number of keys.
        case keyCount
        /// The keys themselves.
        case keys
        /// The claimed master keys and paths of the keys.
        case origins
        /// How many of the keys must sign.
        case threshold
        /// Which keys can spend under which conditions.
        case conditions
        /// Whether it is taproot, which cards do not sign.
        case taproot
    }
}

extension WalletFault: CustomStringConvertible {
    /// What is wrong, in one sentence.
    package var description: String {
        switch self {
        case .repeatedKey(let descriptor, let one, let other):
            "Keys \(one) and \(other) of descriptor \(descriptor) are the same, or one is derived from the other: whoever "
                + "has one can sign twice."
        case .differ(let one, let other, let difference):
            "Descriptors \(one) and \(other) do not belong to one wallet: \(difference.words)."
        case .unpaired(let number, let isChange):
            isChange
                ? "Descriptor \(number) is for change, but no other with the same script and steps is for receiving."
                : "Descriptor \(number) is for receiving, but no other with the same script and steps is for change, "
                    + "although other descriptors have one."
        }
    }
}

extension WalletFault.Difference {
    fileprivate var words: String {
        switch self {
        case .keyCount: "one has more keys than the other"
        case .keys: "their keys differ, so the owner of one might get the other's change"
        case .origins: "their keys claim different master keys or paths"
        case .threshold: "they need different numbers of signatures"
        case .conditions: "they can be spent under different conditions"
        case .taproot: "one is taproot, which cards do not sign, but the other is not"
        }
    }
}
