import Bitcoin

/// Keys and signatures.
extension TapSession {
    /// The public key of a SATSCARD's active slot.
    ///
    /// Wire: `read`. Auth: none. Never sent to a TAPSIGNER or SATSCHIP: the response would reveal its CVC.
    /// - Throws: `TapError.badProof` for `.readSignature`, `.address`, `.slotKey`; `.notSupported`, ….
    ///
    /// Spec: protocol, "Who can forge what".
    public func read() throws(TapError) -> PublicKey {
        let key = try send(ReadCommand()).publicKey
        if let slot = status.activeSlot { knownKeys.learn(key, of: slot) }
        return key
    }

    /// Finds out whether the card accepts a CVC, with a command that hides nothing else. The response is not tied to the
    /// request: an attacker who alters responses can make any CVC look right or wrong.
    ///
    /// Wire: `xpub`. Auth: CVC.
    /// - Throws: `TapError.wrongCVC`, …; `.card` if the card has no key yet.
    ///
    /// Spec: protocol, "Who can forge what" ("To test a CVC use `xpub`").
    public func test(_ cvc: CVC) throws(TapError) { _ = try extendedPublicKey(master: false, cvc: cvc) }

    /// The extended public key at the card's path, or of its master key.
    ///
    /// Wire: `xpub`. Auth: CVC.
    /// - Returns: the key; its parent fingerprint is zero, because cards do not report it. The key is unproven: `probe` proves
    ///   it.
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
    /// - Returns: a signature with low S, verified against `digest` and the returned key; that key is compared with the
    ///   extended key at the card's path, if this session has seen it. The path is the one that the card reports when it
    ///   signs, and another program can change it meanwhile: compare the key with the one that should sign.
    /// - Throws: `TapError.card(205)` if all repeats are unlucky; `.badProof` for `.signature`, `.signingKey`, which are an
    ///   alarm: the card may have been made to sign something else; `.invalidArgument`, `.wrongCVC`, ….
    ///
    /// Spec: protocol, "sign"; BIP-62 (low S).
    public func sign(digest: Digest, subpath: DerivationPath, cvc: CVC) throws(TapError) -> CardSignature {
        try send(SignCommand(digest: digest, subpath: subpath), cvc: cvc)
    }
}
