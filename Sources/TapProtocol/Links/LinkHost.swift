/// The hosts that the maker's cards use in their links. The signature does not cover the host.
///
/// Spec: protocol, "Tap link". Early SATSCARDs use `satscard.com`, later ones `getsatscard.com`; a SATSCHIP with an early
/// applet uses `tapsigner.com`.
enum LinkHost: String, CaseIterable {
    case getsatscard = "getsatscard.com"
    case satscard = "satscard.com"
    case tapsigner = "tapsigner.com"
    case satschip = "satschip.com"

    /// What follows the host, before the fragment.
    static let path = "/start#"

    /// The product that the host stands for.
    var product: CardProduct {
        switch self {
        case .getsatscard, .satscard: .satscard
        case .tapsigner: .tapsigner
        case .satschip: .satschip
        }
    }
}
