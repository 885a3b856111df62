import Bitcoin

/// An account's key, as programs exchange it.
package struct AccountKey: Sendable, Hashable, CustomStringConvertible {
    /// The master key's fingerprint and the path from there; `nil` if unknown.
    package let origin: KeyOrigin?
    /// The account's extended public key, from which the addresses' keys are derived.
    package let key: ExtendedPublicKey

    /// - Parameter origin: the master key and the path from it to `key`; `nil`: unknown. Not verified here.
    package init(origin: KeyOrigin?, key: ExtendedPublicKey) {
        self.origin = origin
        self.key = key
    }

    /// A card's key at its path.
    package init(_ account: Account) {
        self.init(
            origin: KeyOrigin(fingerprint: account.masterFingerprint, path: account.path), key: account.key)
    }

    /// A descriptor's key; `nil` for one that is not extended and public.
    init?(_ key: DescriptorKey) {
        guard case .extended(let extended) = key.material else { return nil }
        self.init(origin: key.origin, key: extended)
    }

    /// `[73c5da0a/48h/0h/0h/2h]xpub…`: the form that coordinators expect from a cosigner.
    ///
    /// Spec: BIP-380, "Key Expressions".
    package var description: String { (origin?.description ?? "") + key.text }

    /// The same with `'` after hardened steps, for older programs.
    var apostropheText: String {
        guard let origin else { return key.text }
        return "[" + ([origin.fingerprint.description] + origin.path.apostropheSteps).joined(separator: "/")
            + "]\(key.text)"
    }
}

extension DerivationPath {
    /// The steps with `'` after hardened ones.
    fileprivate var apostropheSteps: [String] { steps.map { $0.isHardened ? "\($0.index)'" : "\($0.index)" } }

    /// `m/84'/0'/0'`, for programs that do not know the mark `h`.
    var apostropheText: String { (["m"] + apostropheSteps).joined(separator: "/") }
}
