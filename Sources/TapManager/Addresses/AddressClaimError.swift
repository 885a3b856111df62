import Bitcoin
import ExplainedErrors

/// Why a card does not prove an address that somebody names by a descriptor or a path.
package enum AddressClaimError: Error, Sendable, Equatable {
    /// The text is no descriptor. It is not repeated: there may be a private key in it.
    case noDescriptor(DescriptorError)
    /// There is a private key in the descriptor.
    case privateKey
    /// The card signs no taproot inputs.
    case taproot
    /// The descriptor is neither of one key nor of a multisig.
    case otherScript
    /// Two keys of the multisig, by their places from 0, have one holder.
    case oneHolder(Int, Int)
    /// The descriptor does not say whose its key is.
    case noOrigin
    /// No key of the descriptor is said to be of the card with this fingerprint.
    case otherFingerprint(Fingerprint)
    /// A key is said to be the card's at a path where no card has one.
    case noKey(DerivationPath)
    /// The key that is said to be the card's at this path is another one.
    case falseKey(DerivationPath)
    /// The card cannot sign with the key at this path.
    case notSignable(DerivationPath)
    /// No address follows from it.
    case noAddress
}

extension AddressClaimError: ExplainedError {
    /// Whether the descriptor, the path or the card is to blame.
    package var code: ErrorCode {
        switch self {
        case .noDescriptor, .privateKey, .otherScript, .oneHolder, .noOrigin, .noAddress: .badDescriptor
        case .taproot: .notSupported
        case .otherFingerprint, .falseKey: .otherWallet
        case .noKey, .notSignable: .badPath
        }
    }

    /// What does not fit.
    package var message: String {
        switch self {
        case .noDescriptor(let error): "Not a descriptor: \(error)."
        case .privateKey: "There is a private key in the descriptor; it belongs nowhere near here."
        case .taproot: "The card signs no taproot inputs."
        case .otherScript: "The descriptor is neither of one key nor of a multisig."
        case .oneHolder(let one, let other):
            "Keys \(one + 1) and \(other + 1) of the descriptor are one and the same, or follow from each other: whoever "
                + "has one signs twice."
        case .noOrigin: "The descriptor does not say which card's key it has."
        case .otherFingerprint(let card): "No key of the descriptor has the card's fingerprint, \(card)."
        case .noKey(let path): "The card has no key at \(path)."
        case .falseKey(let path): "The key in the descriptor is not the card's at \(path): do not use it."
        case .notSignable(let path):
            "The card cannot sign at \(path): it takes up to \(CardPath.maximumAccountDepth) hardened steps, "
                + "then up to \(CardPath.maximumSubpathDepth) others."
        case .noAddress: "There is no such address."
        }
    }

    /// The path, where one is to blame.
    package var subject: ErrorSubject? {
        switch self {
        case .noKey(let path), .notSignable(let path): .path(path.description)
        default: nil
        }
    }
}
