import Bitcoin

/// A card's extended key at its path, proven, with the path from the master key.
public struct Account: Sendable, Equatable {
    /// The master key's fingerprint.
    public let masterFingerprint: Fingerprint
    /// Hardened steps from the master key, as the card reports them: only a decrypted backup proves them.
    public let path: DerivationPath
    /// The key at the path. Its parent fingerprint is zero, as the card does not report it.
    public let key: ExtendedPublicKey

    /// An account from its parts.
    package init(masterFingerprint: Fingerprint, path: DerivationPath, key: ExtendedPublicKey) {
        self.masterFingerprint = masterFingerprint
        self.path = path
        self.key = key
    }
}
