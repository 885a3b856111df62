import Bitcoin
import ExplainedErrors
import TapProtocol

/// Why a card does not verify a wallet's address.
package enum AddressProofError: Error, Sendable, Equatable {
    /// The wallet has the card's fingerprint and path with a key that is not the card's.
    case falseKey(DerivationPath)
    /// The wallet's key is the card's at another path than the card's current one.
    case otherPath(wallet: DerivationPath, card: DerivationPath)
    /// The card has no key of the wallet.
    case noKey(CardIdent, Fingerprint, wallet: String)
    /// The card has no extended key of the wallet, which it takes to register it.
    case noExtendedKey(CardIdent, Fingerprint, wallet: String)
    /// The address is not the wallet's.
    case otherAddress(wallet: String)
}

extension AddressProofError: ExplainedError {
    /// The wallet is not the card's.
    package var code: ErrorCode { .otherWallet }

    /// What does not match.
    package var message: String {
        switch self {
        case .falseKey(let path):
            "The wallet claims that a key is this card's at \(path), but it is not. Do not use the wallet."
        case .otherPath(let wallet, let card):
            "The wallet's key is said to be the card's at \(wallet), but the card is at \(card)."
        case .noKey(let card, let fingerprint, let wallet):
            "The card \(card) (fingerprint \(fingerprint)) has no key of the wallet “\(wallet)”."
        case .noExtendedKey(let card, let fingerprint, let wallet):
            "The card \(card) (fingerprint \(fingerprint)) has no extended key (xpub) in the wallet “\(wallet)”."
        case .otherAddress(let wallet): "The address does not belong to the wallet “\(wallet)”."
        }
    }

    /// What to do about a false key, and which card to use; where a card must be moved, front ends say how.
    package var remedy: String {
        switch self {
        case .falseKey: "Compare its descriptors with your own copy, or with your cosigners'."
        case .noExtendedKey: "Use a card whose extended key is in the wallet's descriptors."
        case .noKey, .otherPath, .otherAddress: ""
        }
    }

    /// The path at which the card would have to be.
    package var subject: ErrorSubject? {
        if case .otherPath(let path, _) = self { .path(path) } else { nil }
    }
}
