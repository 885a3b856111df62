import ExplainedErrors

/// The three products that run the tap-card applet. The raw value is what `tapkit status --json` shows.
public enum CardProduct: String, Sendable, CaseIterable, ErrorSubjectValue {
    /// A BIP-32 signer with a backup and a changeable CVC.
    case tapsigner
    /// A bearer card with slots that are used one after another.
    case satscard
    /// A TAPSIGNER without a backup.
    case satschip

    /// The product's name as its maker writes it.
    public var displayName: String { rawValue.uppercased() }

    /// The products with a BIP-32 master key.
    static let signers: Set<Self> = [.tapsigner, .satschip]
}
