/// A field of a tap link; the raw value is its name in the link.
///
/// Spec: protocol, "Tap link".
public enum TapLinkField: String, Sendable, CaseIterable {
    /// `1` in the links of TAPSIGNER and SATSCHIP.
    case signer = "t"
    /// `S`, `U` or `E`.
    case state = "u"
    /// SATSCARD: the slot, counted from 0, in decimal digits.
    case slot = "o"
    /// SATSCARD: the last 8 characters of the slot's address.
    case addressEnd = "r"
    /// TAPSIGNER, SATSCHIP: the card's short ident, 16 hexadecimal digits.
    case ident = "c"
    /// The card's nonce, 16 hexadecimal digits.
    case nonce = "n"
    /// The signature, 128 hexadecimal digits.
    case signature = "s"

    static let ofSatscards: Set<Self> = [.state, .slot, .addressEnd, .nonce, .signature]
    static let ofSigners: Set<Self> = [.signer, .state, .ident, .nonce, .signature]

    /// A name for display.
    var meaning: String {
        switch self {
        case .signer: "signer mark"
        case .state: "state"
        case .slot: "slot"
        case .addressEnd: "address ending"
        case .ident: "ident"
        case .nonce: "nonce"
        case .signature: "signature"
        }
    }

    /// The required form of its value.
    var form: String {
        switch self {
        case .signer: "1"
        case .state: "S, U or E"
        case .slot: "a number from 0 to 255"
        case .addressEnd: "8 lower-case letters and digits"
        case .ident, .nonce: "16 lower-case hexadecimal digits"
        case .signature: "128 lower-case hexadecimal digits"
        }
    }
}
