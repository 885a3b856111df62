import Bitcoin

/// A card's extended key at its path, proven, with its place below the master key.
public struct Account: Sendable, Equatable {
    /// The master key's fingerprint.
    public let masterFingerprint: Fingerprint
    /// Hardened steps from the master key, as the card says: only an opened backup proves them.
    public let path: DerivationPath
    /// The key at the path. Its parent fingerprint is zero: the card does not tell it.
    public let key: ExtendedPublicKey

    /// An account from its parts.
    package init(masterFingerprint: Fingerprint, path: DerivationPath, key: ExtendedPublicKey) {
        self.masterFingerprint = masterFingerprint
        self.path = path
        self.key = key
    }
}
