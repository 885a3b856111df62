import Bitcoin

/// Keys of one card that verified answers have shown. A later answer that contradicts one is a failed proof.
struct KnownKeys: Sendable {
    private var keys: [DerivationPath: PublicKey] = [:]
    private var extendedKeys: [DerivationPath: ExtendedPublicKey] = [:]

    /// The key at a path below the master key, if it is known or follows from a known extended key.
    func publicKey(at path: DerivationPath) -> PublicKey? {
        if let key = keys[path] ?? extendedKeys[path]?.publicKey { return key }
        guard let split = path.splitAtFirstNormalStep, !split.normal.steps.isEmpty else { return nil }
        return try? extendedKeys[split.hardened]?.descendant(split.normal).publicKey
    }

    /// The extended key at a path, if it is known.
    func extendedKey(at path: DerivationPath) -> ExtendedPublicKey? { extendedKeys[path] }

    mutating func learn(_ key: PublicKey, at path: DerivationPath) { keys[path] = key }

    mutating func learn(_ key: ExtendedPublicKey, at path: DerivationPath) { extendedKeys[path] = key }
}
