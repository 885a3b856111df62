import Bitcoin

/// Keys and signatures.
extension TapSession {
    /// The public key of a SATSCARD's active slot.
    ///
    /// Wire: `read`. Auth: none. A TAPSIGNER or SATSCHIP is never asked: the answer would give its CVC away.
    /// - Throws: `TapError.badProof` for `.readSignature`, `.address`, `.slotKey`; `.notSupported`, ….
    ///
    /// Spec: protocol, "Who can forge what".
    public func read() throws(TapError) -> PublicKey {
        let key = try send(ReadCommand()).publicKey
        if let slot = status.activeSlot { knownKeys.learn(key, of: slot) }
        return key
    }

    /// Finds out whether the card takes a CVC, by a command that hides nothing but that. Nothing ties the answer to the
    /// request: whoever rewrites answers can make any CVC look right, or wrong.
    ///
    /// Wire: `xpub`. Auth: CVC.
    /// - Throws: `TapError.wrongCVC`, …; `.card` when the card has no key yet.
    ///
    /// Spec: protocol, "Who can forge what" ("To test a CVC use `xpub`").
    public func test(_ cvc: CVC) throws(TapError) { _ = try extendedPublicKey(master: false, cvc: cvc) }

    /// The extended public key at the card's path, or of its master key.
    ///
    /// Wire: `xpub`. Auth: CVC.
    /// - Returns: the key; its parent fingerprint is zero, because a card does not know it. It is the word of whoever
    ///   answers: `probe` proves it.
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
    /// - Returns: low S, verified over `digest` with the returned key; that key compared with the extended key at the card's
    ///   path, where this session has seen it. The path is the one that the card has, or is said to have, when it signs, which
    ///   another program can change meanwhile: compare the key with the one that is to sign.
    /// - Throws: `TapError.card(205)` when luck runs out; `.badProof` for `.signature`, `.signingKey`, which are an alarm:
    ///   somebody may have had the card sign something else; `.invalidArgument`, `.wrongCVC`, ….
    ///
    /// Spec: protocol, "sign"; BIP-62 (low S).
    public func sign(digest: Digest, subpath: DerivationPath, cvc: CVC) throws(TapError) -> CardSignature {
        try send(SignCommand(digest: digest, subpath: subpath), cvc: cvc)
    }
}
