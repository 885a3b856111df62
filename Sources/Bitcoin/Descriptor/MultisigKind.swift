/// The kind of output of an account with several keys.
public enum MultisigKind: CaseIterable, Hashable, Sendable {
    /// Pay to script hash.
    case p2sh
    /// Pay to witness script hash inside pay to script hash: accounts at `48h/…/…/1h`.
    case p2shP2WSH
    /// Pay to witness script hash: accounts at `48h/…/…/2h`.
    case p2wsh

    /// The first, hardened step of a cosigner's path.
    ///
    /// Spec: BIP-48, "Purpose".
    public static let purpose = ChildNumber(rawValue: 0x8000_0000 | 48)

    /// The kind that a cosigner's path names, `m/48h/coin_typeh/accounth/script_typeh`; `nil` for any other path.
    ///
    /// Spec: BIP-48, "Path levels".
    public init?(accountPath path: DerivationPath) {
        guard path.steps.count == 4, path.steps.allSatisfy(\.isHardened), path.steps.first == Self.purpose else {
            return nil
        }
        switch path.steps[3].index {
        case 1: self = .p2shP2WSH
        case 2: self = .p2wsh
        default: return nil
        }
    }

    /// The descriptor of a `multi` or `sortedmulti` expression.
    ///
    /// Spec: BIP-381 (`sh`), BIP-382 (`wsh`), BIP-383 (`multi`).
    public func descriptor(of expression: String) -> String {
        switch self {
        case .p2sh: "sh(\(expression))"
        case .p2shP2WSH: "sh(wsh(\(expression)))"
        case .p2wsh: "wsh(\(expression))"
        }
    }
}
