import TapManager

extension RegistrationError: ExemplifiedError {
    static func first(_ sample: Sample) -> Self { .altered(wallet: "family", .zero) }

    func next(_ sample: Sample) -> Self? {
        switch self {
        case .altered: .malformed
        case .malformed: .otherCard(wallet: "family")
        case .otherCard: .otherWallet(registered: "family", stored: "family")
        case .otherWallet: .notEveryCards(wallet: "family")
        case .notEveryCards: .otherDevice("ledger")
        case .otherDevice: nil
        }
    }

    static func others(_ sample: Sample) -> [Self] {
        [.altered(wallet: "family", nil), .otherWallet(registered: "savings", stored: "family")]
    }
}
