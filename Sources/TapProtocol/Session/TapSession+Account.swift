import Bitcoin

/// A TAPSIGNER's account as `derive` reports it. An attacker who alters the traffic can report another: `TapSession.probe`
/// proves it.
public struct ClaimedAccount: Sendable, Hashable {
    /// The master key, which is said to have signed the response (on some cards the key at the path did).
    public let masterKey: PublicKey
    /// Hardened steps from the master key.
    public let path: DerivationPath
    /// The extended key at the path. Its parent fingerprint is zero, because the card does not report it.
    public let key: ExtendedPublicKey

    /// The master key's fingerprint.
    public var masterFingerprint: Fingerprint { Fingerprint(of: masterKey) }
}

extension TapSession {
    /// Moves the card to a path, or leaves it there, and takes its word for the key there: one exchange.
    ///
    /// Wire: `derive`. Auth: CVC. Verified: the signature over the chain code, which proves nothing against an attacker who
    /// alters responses. `probe` proves the key; the next `status` shows the path.
    /// - Parameter path: up to 8 hardened steps.
    /// - Throws: `TapError.badProof` for `.deriveSignature`, `.extendedKey`; `.invalidArgument`, `.wrongCVC`, ….
    ///
    /// Spec: protocol, "Commands" (`derive`) and "Who can forge what".
    public func account(at path: DerivationPath, cvc: CVC) throws(TapError) -> ClaimedAccount {
        let derived = try send(DeriveCommand(path: path), cvc: cvc)
        status.path = path
        let key = ExtendedPublicKey(
            network: status.keyNetwork, depth: UInt8(path.steps.count),
            childNumber: path.steps.last ?? ChildNumber(rawValue: 0), chainCode: derived.chainCode,
            publicKey: derived.publicKey)
        knownKeys.learn(derived.masterKey, at: DerivationPath())
        knownKeys.learn(key, at: path)
        return ClaimedAccount(masterKey: derived.masterKey, path: path, key: key)
    }

    /// Moves the card to another path, permanently, and checks that its status shows the path.
    ///
    /// Wire: `derive`, `status`. Auth: CVC. Verified: as for `account(at:)`, and the path in `status`.
    /// - Parameter path: up to 8 hardened steps.
    /// - Throws: `TapError.badProof` for `.deriveSignature`, `.path`, `.extendedKey`; `.invalidArgument`, `.wrongCVC`, ….
    ///
    /// Spec: protocol, "What must be verified, always" (`derive`).
    @discardableResult
    public func setPath(_ path: DerivationPath, cvc: CVC) throws(TapError) -> ClaimedAccount {
        let account = try account(at: path, cvc: cvc)
        guard try refreshStatus().path == path else {
            throw .badProof(.path, detail: "the card did not move to \(path)")
        }
        return account
    }
}
