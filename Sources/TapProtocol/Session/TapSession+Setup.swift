import Bitcoin

/// What changes a card for good.
extension TapSession {
    /// Lets the card pick its master key, once for ever, and proves that our chain code went into it.
    ///
    /// Wire: `new`, `status`, `xpub`. Auth: CVC. Interrupted behind `new`, `status.path` is there: go on with
    /// `proveChainCode`.
    /// - Parameter chainCode: 32 bytes of our own randomness.
    /// - Returns: the extended public key of the master key.
    /// - Throws: `TapError.badProof(.chainCode)`; `.card` (405, 406) when the card has a key already; `.wrongCVC`, ….
    @discardableResult
    public func createKey(chainCode: [UInt8], cvc: CVC) throws(TapError) -> ExtendedPublicKey {
        try requireProduct(in: CardProduct.signers, for: NewCommand.self)
        _ = try send(NewCommand(chainCode: chainCode), cvc: cvc)
        knownKeys = KnownKeys()
        guard try refreshStatus().isSetUp else {
            throw .badProof(.path, detail: "the card has no path after it picked a key")
        }
        return try proveChainCode(chainCode, cvc: cvc)
    }

    /// Proves that the card's master key has our chain code; otherwise the card picked its own.
    ///
    /// Wire: `xpub`. Auth: CVC.
    /// - Returns: the extended public key of the master key.
    /// - Throws: `TapError.badProof(.chainCode)`, `.wrongCVC`, ….
    ///
    /// Spec: protocol, "What must be verified, always", last paragraph.
    @discardableResult
    public func proveChainCode(_ chainCode: [UInt8], cvc: CVC) throws(TapError) -> ExtendedPublicKey {
        let master = try extendedPublicKey(master: true, cvc: cvc)
        guard master.chainCode == chainCode else {
            throw .badProof(.chainCode, detail: "the card's chain code is not the one we supplied")
        }
        return master
    }

    /// The encrypted backup, 113–1 024 bytes. Each one counts in `status`; the same key gives the same file but for the
    /// path.
    ///
    /// Wire: `backup`, `status`. Auth: CVC. TAPSIGNER only.
    /// - Throws: `TapError.notSupported`, `.wrongCVC`, ….
    ///
    /// Spec: protocol, "Backup file".
    public func backup(cvc: CVC) throws(TapError) -> [UInt8] {
        let data = try send(BackupCommand(), cvc: cvc)
        try refreshStatus()
        return data
    }

    /// Proves that an opened backup is this card's: its key, made public, is the card's master key.
    ///
    /// Wire: `xpub`. Auth: CVC.
    /// - Throws: `TapError.badProof(.backup)`, `.wrongCVC`, ….
    public func proveBackup(_ backup: Backup, cvc: CVC) throws(TapError) {
        guard backup.belongs(to: try extendedPublicKey(master: true, cvc: cvc)) else {
            throw .badProof(.backup, detail: "the backup's key is not the card's master key")
        }
    }

    /// Gives the card a new CVC.
    ///
    /// Wire: `change`. Auth: CVC. Interrupted, the card has either of the two: see protocol, "Interruptions".
    /// - Throws: `TapError.card` (425) before the first backup, `.wrongCVC`, ….
    public func changeCVC(from old: CVC, to new: CVC) throws(TapError) {
        try send(ChangeCommand(newCVC: new), cvc: old)
        trials.forget()
    }
}
