import Bitcoin

/// An account as output descriptors, for watch-only wallets.
///
/// Spec: BIP-380 (origin, checksum), BIP-389 (multipath), BIP-44/49/84 (purposes).
package struct DescriptorExport: Sendable {
    private let account: Account
    private let kinds: [ScriptKind]

    /// An export of an account.
    /// - Parameter kinds: the kinds of addresses; `nil`: those that the path implies.
    package init(_ account: Account, kinds: [ScriptKind]? = nil) {
        self.account = account
        self.kinds = kinds ?? Self.kinds(of: account.path)
    }

    /// The kind of addresses that a path's purpose implies; for other paths P2WPKH, P2SH-P2WPKH and P2PKH.
    package static func kinds(of path: DerivationPath) -> [ScriptKind] {
        ScriptKind(accountPath: path).map { [$0] } ?? [.p2wpkh, .p2shP2WPKH, .p2pkh]
    }

    /// Receive and change addresses in one multipath descriptor for each kind of addresses.
    package var descriptors: [String] {
        let origin = KeyOrigin(fingerprint: account.masterFingerprint, path: account.path)
        return kinds.map { AccountDescriptor(kind: $0, origin: origin, key: account.key).text }
    }

    /// Descriptors of any wallet, one on each line.
    /// - Parameter isSplit: one for each branch instead of multipath descriptors, for programs that do not know
    ///   BIP-389.
    package static func lines(of source: ExportSource, isSplit: Bool) -> [String] {
        let descriptors = source.wallet.descriptors
        return (isSplit ? descriptors.flatMap(\.branches) : descriptors).compactMap(\.text)
    }
}
