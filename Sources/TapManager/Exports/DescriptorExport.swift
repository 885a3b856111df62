import Bitcoin

/// An account as output descriptors, for wallets that watch it.
///
/// Spec: BIP-380 (origin, checksum), BIP-389 (multipath), BIP-44/49/84 (purposes).
public struct DescriptorExport: Sendable {
    private let account: Account

    /// An export of an account.
    public init(_ account: Account) { self.account = account }

    /// Receive and change addresses in one multipath descriptor for each script type: the one that the path's purpose
    /// stands for; for other paths P2WPKH, P2SH-P2WPKH and P2PKH.
    public var descriptors: [String] {
        let kinds = ScriptKind(accountPath: account.path).map { [$0] } ?? [.p2wpkh, .p2shP2WPKH, .p2pkh]
        let origin = KeyOrigin(fingerprint: account.masterFingerprint, path: account.path)
        return kinds.map { AccountDescriptor(kind: $0, origin: origin, key: account.key).text }
    }
}
