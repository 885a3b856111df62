/// The kinds of script that an extended key's version bytes can name, for programs without descriptors: `ypub…`,
/// `zpub…`, `Vpub…`.
///
/// Spec: SLIP-132, "Registered HD version bytes".
public enum SLIP132Form: CaseIterable, Hashable, Sendable {
    /// P2PKH, or multisig in P2SH: `xpub`, `tpub`.
    case legacy
    /// P2WPKH in P2SH: `ypub`, `upub`.
    case p2shP2WPKH
    /// P2WPKH: `zpub`, `vpub`.
    case p2wpkh
    /// Multisig in P2WSH in P2SH: `Ypub`, `Upub`.
    case p2shP2WSH
    /// Multisig in P2WSH: `Zpub`, `Vpub`.
    case p2wsh

    /// The form of an account with one key.
    public init(_ kind: ScriptKind) {
        switch kind {
        case .p2pkh: self = .legacy
        case .p2shP2WPKH: self = .p2shP2WPKH
        case .p2wpkh: self = .p2wpkh
        }
    }

    /// The form of an account with several keys.
    public init(_ kind: MultisigKind) {
        switch kind {
        case .p2sh: self = .legacy
        case .p2shP2WSH: self = .p2shP2WSH
        case .p2wsh: self = .p2wsh
        }
    }

    /// The form that a path implies; `nil` when it implies none.
    ///
    /// Spec: BIP-44, BIP-49, BIP-84 (purposes); BIP-48 (script types).
    public init?(accountPath path: DerivationPath) {
        if let kind = ScriptKind(accountPath: path) {
            self.init(kind)
        } else if let kind = MultisigKind(accountPath: path) {
            self.init(kind)
        } else {
            return nil
        }
    }

    /// The four bytes before a public key, as a big-endian number.
    func publicVersion(_ network: KeyNetwork) -> UInt32 {
        switch (self, network) {
        case (.legacy, _): network.publicVersion
        case (.p2shP2WPKH, .main): 0x049D_7CB2
        case (.p2shP2WPKH, .test): 0x044A_5262
        case (.p2wpkh, .main): 0x04B2_4746
        case (.p2wpkh, .test): 0x045F_1CF6
        case (.p2shP2WSH, .main): 0x0295_B43F
        case (.p2shP2WSH, .test): 0x0242_89EF
        case (.p2wsh, .main): 0x02AA_7ED3
        case (.p2wsh, .test): 0x0257_5483
        }
    }
}

extension ExtendedPublicKey {
    /// The key's text with the version bytes of a form, 111 characters: `zpub…` for P2WPKH.
    ///
    /// Spec: SLIP-132.
    public func text(_ form: SLIP132Form) -> String {
        let version = ExtendedKeyFields.bigEndianBytes(form.publicVersion(network))
        return Base58Check.encode(version + serialized.dropFirst(version.count))
    }
}
