import Bitcoin
import ExplainedErrors

/// Why a registration counts for nothing.
package enum RegistrationError: Error, Sendable, Equatable {
    /// The card did not sign this wallet: its descriptors, its name or the registration are others than then. The
    /// fingerprint is `nil` if none of the wallet's keys signed it.
    case altered(wallet: String, Fingerprint?)
    /// The text is not a registration.
    case malformed
    /// Another card registered the wallet.
    case otherCard(wallet: String)
    /// A given registration is of a wallet with another name or other descriptors than the stored one.
    case otherWallet(registered: String, stored: String)
    /// A card on the readers made none of the given registrations of the wallet.
    case notEveryCards(wallet: String)
    /// A different kind of device made it.
    case otherDevice(String)
}

extension RegistrationError: ExplainedError {
    /// A failed proof, or a bad argument.
    package var code: ErrorCode {
        switch self {
        case .altered: .alteredWallet
        case .otherWallet(let registered, let stored): registered == stored ? .alteredWallet : .badRegistration
        case .malformed, .otherCard, .notEveryCards, .otherDevice: .badRegistration
        }
    }

    /// What does not match.
    package var message: String {
        switch self {
        case .altered(let wallet, let fingerprint):
            "The wallet “\(wallet)” is not what \(fingerprint.map { "the card with the fingerprint \($0)" } ?? "a card") "
                + "registered: its descriptors, its name or the registration itself was altered. Do not use it."
        case .malformed: "The text is not the registration of a wallet."
        case .otherCard(let wallet): "Another card registered the wallet “\(wallet)”."
        case .otherWallet(let registered, let stored):
            registered == stored
                ? "The stored wallet “\(stored)” is not the one in the registration: one of them was altered."
                : "The registration is of the wallet “\(registered)”, not of “\(stored)”."
        case .notEveryCards(let wallet):
            "One of the cards on the readers made none of the given registrations of the wallet “\(wallet)”."
        case .otherDevice(let device): "The registration is from a device of another kind: \(device)."
        }
    }

    /// What to do about it.
    package var remedy: String {
        switch self {
        case .altered:
            "Compare its descriptors with your own copy, or with your cosigners'. Then remove the wallet; add and register "
                + "the right one."
        case .otherCard: "Use that card, or register the wallet with this one."
        case .otherWallet(let registered, let stored):
            registered == stored
                ? "Do not use the wallet before you have compared its descriptors with your own copy, or with your cosigners'."
                : "Give the registration of this wallet."
        case .notEveryCards:
            "Give the registration that each of the cards made, or take the other cards off the readers."
        case .malformed, .otherDevice: ""
        }
    }
}
