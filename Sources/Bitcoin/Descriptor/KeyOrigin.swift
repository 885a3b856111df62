/// A key's origin: the master key's fingerprint, and the path from there.
///
/// Spec: BIP-380, "Key Expressions"; BIP-174 uses the same pair.
public struct KeyOrigin: Hashable, Sendable, CustomStringConvertible {
    /// The master key's fingerprint. A hint, never a proof.
    public let fingerprint: Fingerprint
    /// The steps from the master key to the key.
    public let path: DerivationPath

    /// - Parameters:
    ///   - fingerprint: the master key's fingerprint.
    ///   - path: from the master key to the key that has this origin.
    public init(fingerprint: Fingerprint, path: DerivationPath) {
        self.fingerprint = fingerprint
        self.path = path
    }

    /// As written before a key in a descriptor: `[73c5da0a/84h/0h/0h]`.
    public var description: String {
        "[" + ([fingerprint.description] + path.steps.map(\.description)).joined(separator: "/") + "]"
    }
}
