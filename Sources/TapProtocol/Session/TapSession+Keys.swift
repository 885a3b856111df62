import Bitcoin

/// Keys and signatures.
extension TapSession {
    /// The public key at a TAPSIGNER's path, or of a SATSCARD's active slot.
    ///
    /// Wire: `read`. Auth: TAPSIGNER, SATSCHIP: CVC; SATSCARD: none.
    /// - Throws: `TapError.badProof` for `.readSignature`, `.address`, `.extendedKey`; `.wrongCVC`, `.cvcNeeded`, ….
    public func read(cvc: CVC? = nil) throws(TapError) -> PublicKey {
        let key = try send(ReadCommand(), cvc: cvc).publicKey
        if let path = status.path { knownKeys.learn(key, at: path) }
        if let slot = status.activeSlot { knownKeys.learn(key, of: slot) }
        return key
    }

    /// Moves the card to another path, where it stays, and proves that it did.
    ///
    /// Wire: `derive`, `status`, `xpub`. Auth: CVC.
    /// - Parameter path: 0–8 hardened steps below the master key.
    /// - Returns: the extended public key at the path; its parent fingerprint is zero.
    /// - Throws: `TapError.badProof` for `.deriveSignature`, `.path`, `.extendedKey`; `.invalidArgument`, `.wrongCVC`, ….
    ///
    /// Spec: protocol, "What must be verified, always" (`derive`).
    @discardableResult
    public func setPath(_ path: DerivationPath, cvc: CVC) throws(TapError) -> ExtendedPublicKey {
        let derived = try send(DeriveCommand(path: path), cvc: cvc)
        guard try refreshStatus().path == path else {
            throw .badProof(.path, detail: "the card does not stand at \(path) after it was sent there")
        }
        knownKeys.learn(derived.masterKey, at: DerivationPath())
        knownKeys.learn(derived.publicKey, at: path)
        let key = try extendedPublicKey(master: false, cvc: cvc)
        guard key.chainCode == derived.chainCode else {
            throw .badProof(.extendedKey, detail: "the chain code at \(path) is not the one that was signed")
        }
        return key
    }

    /// The extended public key at the card's path, or of its master key.
    ///
    /// Wire: `xpub`. Auth: CVC.
    /// - Returns: the key; its parent fingerprint is zero, because a card does not know it.
    /// - Throws: `TapError.badProof(.extendedKey)`, `.wrongCVC`, ….
    public func extendedPublicKey(master: Bool, cvc: CVC) throws(TapError) -> ExtendedPublicKey {
        let command = XPubCommand(isMaster: master)
        let key = try send(command, cvc: cvc)
        if let path = command.path(on: status) { knownKeys.learn(key, at: path) }
        return key
    }

    /// Signs a digest with the key at the card's path plus `subpath`.
    ///
    /// Wire: `sign`. Auth: CVC. Repeats error 205 (about 1 in 8) up to 10 times.
    /// - Parameters:
    ///   - digest: 32 bytes, already hashed; hidden with the session key on the wire.
    ///   - subpath: 0–2 unhardened steps below the card's own path.
    /// - Returns: low R and low S, verified over `digest` with the returned key; that key compared with the extended key
    ///   at the card's path, where this session has seen it.
    /// - Throws: `TapError.card(205)` when luck runs out; `.badProof` for `.signature`, `.signingKey`, `.lowS`, `.lowR`;
    ///   `.invalidArgument`, `.wrongCVC`, ….
    ///
    /// Spec: protocol, "sign"; BIP-62 (low S).
    public func sign(digest: [UInt8], subpath: DerivationPath, cvc: CVC) throws(TapError) -> CardSignature {
        try send(SignCommand(digest: digest, subpath: subpath), cvc: cvc)
    }
}
