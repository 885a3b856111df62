import Bitcoin
import ExplainedErrors
import TapProtocol

/// Why a card does not vouch for a wallet's address.
package enum AddressProofError: Error, Sendable, Equatable {
    /// The wallet names this card's fingerprint and path beside a key that is not the card's.
    case falseKey(DerivationPath)
    /// The wallet's key is the card's at another path than the one at which the card stands.
    case otherPath(wallet: DerivationPath, card: DerivationPath)
    /// The card has no key of the wallet.
    case noKey(CardIdent, Fingerprint, wallet: String)
    /// The address is not the wallet's.
    case otherAddress(wallet: String)
}

extension AddressProofError: ExplainedError {
    /// The wallet is another one than the card's.
    package var code: ErrorCode { .otherWallet }

    /// What does not fit.
    package var message: String {
        switch self {
        case .falseKey(let path): "The wallet says that a key is this card's at \(path), and it is not: do not use it."
        case .otherPath(let wallet, let card):
            "The wallet's key is the card's at \(wallet), and the card stands at \(card)."
        case .noKey(let card, let fingerprint, let wallet):
            "The card \(card) (fingerprint \(fingerprint)) has no key of the wallet “\(wallet)”."
        case .otherAddress(let wallet): "The address is not one of the wallet “\(wallet)”."
        }
    }

    /// The path that the card would have to stand at.
    package var subject: ErrorSubject? {
        if case .otherPath(let path, _) = self { .path(path.description) } else { nil }
    }
}
