import Bitcoin

/// A TAPSIGNER's account as `derive` shows it: enough to recognize its keys in a PSBT.
public struct DerivedAccount: Sendable, Hashable {
    /// The master key, which signed the answer (or, on some cards, the key at the path did).
    public let masterKey: PublicKey
    /// Hardened steps from the master key.
    public let path: DerivationPath
    /// The extended key at the path. Its parent fingerprint is zero, for the card does not tell it.
    public let key: ExtendedPublicKey

    /// The master key's fingerprint.
    public var masterFingerprint: Fingerprint { Fingerprint(of: masterKey) }
}

extension TapSession {
    /// Moves the card to a path, or leaves it there, and takes its word for the key it has there: one exchange, for
    /// callers who verify each signature against that key. `setPath` proves the key.
    ///
    /// Wire: `derive`. Verified: the signature over the chain code; the next `status` must be compared by the caller.
    /// - Parameter path: up to 8 hardened steps.
    /// - Throws: `TapError.badProof(.deriveSignature)`, and what every command throws.
    ///
    /// Spec: protocol, "Commands" (`derive`).
    public func account(at path: DerivationPath, cvc: CVC) throws(TapError) -> DerivedAccount {
        let derived = try send(DeriveCommand(path: path), cvc: cvc)
        status.path = path
        guard
            let key = ExtendedPublicKey(
                network: status.keyNetwork, depth: UInt8(path.steps.count),
                childNumber: path.steps.last ?? ChildNumber(rawValue: 0), chainCode: derived.chainCode,
                publicKey: derived.publicKey)
        else { throw .badResponse(command: DeriveCommand.name, field: "chain_code", problem: "has not 32 bytes") }
        knownKeys.learn(derived.masterKey, at: DerivationPath())
        knownKeys.learn(key, at: path)
        return DerivedAccount(masterKey: derived.masterKey, path: path, key: key)
    }
}
