/// Why a wallet is not used although its descriptors can be read: by them money can leave it to keys that are not its own.
///
/// Spec: threats, "The wallet's own descriptors".
package enum WalletFault: Error, Sendable, Equatable {
    /// In the descriptor of this number one holder stands for two cosigners, by their numbers (see `SharedCosigner`);
    /// all numbers from 1.
    case repeatedKey(descriptor: Int, Int, Int)
    /// Two descriptors, by their numbers from 1, differ in what all of a wallet's have in common.
    case differ(Int, Int, Difference)
    /// The descriptor of this number, from 1, has addresses to receive and none for change like them, while others of the
    /// wallet have some; or the reverse.
    case unpaired(Int, isChange: Bool)

    /// What two descriptors of one wallet must have in common.
    package enum Difference: Sendable, Equatable, CaseIterable {
        /// How many keys there are.
        case keyCount
        /// The keys themselves.
        case keys
        /// What is said of the keys' master keys and paths.
        case origins
        /// How many of the keys must sign.
        case threshold
        /// Whether it is taproot, which cards do not sign.
        case taproot
    }
}

extension WalletFault: CustomStringConvertible {
    /// What is wrong, in one sentence.
    package var description: String {
        switch self {
        case .repeatedKey(let descriptor, let one, let other):
            "Keys \(one) and \(other) of descriptor \(descriptor) are one and the same, or follow from each other: whoever has "
                + "one signs twice."
        case .differ(let one, let other, let difference):
            "Descriptors \(one) and \(other) are not of one wallet: \(difference.words)."
        case .unpaired(let number, let isChange):
            isChange
                ? "Descriptor \(number) is for change, and no other with the same script and steps is for receiving."
                : "Descriptor \(number) is for receiving, and no other with the same script and steps is for change, "
                    + "which other descriptors have."
        }
    }
}

extension WalletFault.Difference {
    fileprivate var words: String {
        switch self {
        case .keyCount: "one has more keys than the other"
        case .keys: "their keys differ, so what one receives the other's owner might get as change"
        case .origins: "their keys are said to be of different master keys or paths"
        case .threshold: "they ask for different numbers of signatures"
        case .taproot: "one is taproot, which cards do not sign, and the other is not"
        }
    }
}
