import Bitcoin
import ExplainedErrors

/// Why a card does not prove an address that is given by a descriptor or a path.
package enum AddressClaimError: Error, Sendable, Equatable {
    /// The text is not a descriptor. It is not repeated, as there may be a private key in it.
    case noDescriptor(DescriptorError)
    /// There is a private key in the descriptor.
    case privateKey
    /// The card cannot sign taproot inputs.
    case taproot
    /// The descriptor is neither for one key nor for a multisig.
    case otherScript
    /// Two keys of the multisig, by their positions from 0, have one holder.
    case oneHolder(Int, Int)
    /// The descriptor does not have its key's origin.
    case noOrigin
    /// No key of the descriptor is claimed to be from the card with this fingerprint.
    case otherFingerprint(Fingerprint)
    /// A key is claimed to be the card's at a path where no card has one.
    case noKey(DerivationPath)
    /// The key that is claimed to be the card's at this path is a different one.
    case falseKey(DerivationPath)
    /// The card cannot sign with the key at this path.
    case notSignable(DerivationPath)
    /// No address follows from it.
    case noAddress
}

extension AddressClaimError: ExplainedError {
    /// Whether the problem is the descriptor, the path or the card.
    package var code: ErrorCode {
        switch self {
        case .noDescriptor, .privateKey, .otherScript, .oneHolder, .noOrigin, .noAddress: .badDescriptor
        case .taproot: .notSupported
        case .otherFingerprint, .falseKey: .otherWallet
        case .noKey, .notSignable: .badPath
        }
    }

    /// What does not match.
    package var message: String {
        switch self {
        case .noDescriptor(let error): "Not a descriptor: \(error)."
        case .privateKey: "The descriptor has a private key. Never enter private keys here."
        case .taproot: "The card cannot sign taproot inputs."
        case .otherScript: "The descriptor is neither for one key nor for a multisig."
        case .oneHolder(let one, let other):
            "Keys \(one + 1) and \(other + 1) of the descriptor are the same, or one is derived from the other: whoever "
                + "has one can sign twice."
        case .noOrigin: "The descriptor does not show which card's key it has."
        case .otherFingerprint(let card): "No key of the descriptor has the card's fingerprint, \(card)."
        case .noKey(let path): "The card has no key at \(path)."
        case .falseKey(let path): "The key in the descriptor is not the card's at \(path). Do not use the descriptor."
        case .notSignable(let path):
            "The card cannot sign at \(path): it supports up to \(CardPath.maximumAccountDepth) hardened steps, "
                + "then up to \(CardPath.maximumSubpathDepth) unhardened ones."
        case .noAddress: "There is no such address."
        }
    }

    /// The path, if it is the problem.
    package var subject: ErrorSubject? {
        switch self {
        case .noKey(let path), .notSignable(let path): .path(path)
        default: nil
        }
    }
}
