/// The kind of output of an account with one key.
public enum ScriptKind: CaseIterable, Hashable, Sendable {
    /// Pay to public key hash: accounts below `44h`.
    case p2pkh
    /// Pay to witness public key hash inside pay to script hash: accounts below `49h`.
    case p2shP2WPKH
    /// Pay to witness public key hash: accounts below `84h`.
    case p2wpkh

    /// The first, hardened step of an account's path.
    ///
    /// Spec: BIP-43, BIP-44, BIP-49, BIP-84.
    public var purpose: ChildNumber { ChildNumber(rawValue: 0x8000_0000 | purposeNumber) }

    private var purposeNumber: UInt32 {
        switch self {
        case .p2pkh: 44
        case .p2shP2WPKH: 49
        case .p2wpkh: 84
        }
    }

    /// The kind that a path's first step names; `nil` when it names none.
    public init?(accountPath path: DerivationPath) {
        guard let kind = Self.allCases.first(where: { $0.purpose == path.steps.first }) else { return nil }
        self = kind
    }

    /// The script of an output to `key`.
    public func scriptPubKey(for key: PublicKey) -> Script {
        switch self {
        case .p2pkh: .p2pkh(key)
        case .p2shP2WPKH: .p2sh(.p2wpkh(key))
        case .p2wpkh: .p2wpkh(key)
        }
    }

    /// The redeem script that spends an output to `key`; `nil` when there is none.
    public func redeemScript(for key: PublicKey) -> Script? { self == .p2shP2WPKH ? .p2wpkh(key) : nil }

    /// The descriptor of a key expression.
    ///
    /// Spec: BIP-381 (`pkh`, `sh`), BIP-382 (`wpkh`).
    public func descriptor(of keyExpression: String) -> String {
        switch self {
        case .p2pkh: "pkh(\(keyExpression))"
        case .p2shP2WPKH: "sh(wpkh(\(keyExpression)))"
        case .p2wpkh: "wpkh(\(keyExpression))"
        }
    }
}
