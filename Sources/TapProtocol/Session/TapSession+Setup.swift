import Bitcoin

/// Permanent changes to a card.
extension TapSession {
    /// Lets the card pick its master key, permanently. That our chain code went into it is proven at `m`: by `setPath`
    /// there, whose chain code must be ours, and by `probe`.
    ///
    /// Wire: `new`, `status`. Auth: CVC. If interrupted after `new`, `status.path` is set.
    /// - Parameter chainCode: 32 random bytes of our own.
    /// - Throws: `TapError.badProof(.path)`; `.card` (405, 406) when the card has a key already; `.wrongCVC`, ….
    public func createKey(chainCode: ChainCode, cvc: CVC) throws(TapError) {
        try requireProduct(in: CardProduct.signers, for: NewCommand.self)
        _ = try send(NewCommand(chainCode: chainCode), cvc: cvc)
        knownKeys = KnownKeys()
        guard try refreshStatus().isSetUp else {
            throw .badProof(.path, detail: "the card has no path after picking a key")
        }
    }

    /// The encrypted backup, 1–65 535 bytes. Each backup is counted in `status`; the same key gives the same file except
    /// for the path.
    ///
    /// Wire: `backup`, `status`. Auth: CVC. TAPSIGNER only.
    /// - Throws: `TapError.notSupported`, `.wrongCVC`, ….
    ///
    /// Spec: protocol, "Backup file".
    public func backup(cvc: CVC) throws(TapError) -> EncryptedBackup {
        let backup = try send(BackupCommand(), cvc: cvc)
        try refreshStatus()
        return backup
    }

    /// Gives the card a new CVC.
    ///
    /// Wire: `change`. Auth: CVC. If interrupted, the card has either of the two CVCs: see protocol, "Interruptions". A
    /// listener learns how they differ, digit by digit, up to the length of the old one; with one of them, also the
    /// other.
    /// - Throws: `TapError.card` (425) before the first backup, `.wrongCVC`, ….
    public func changeCVC(from old: CVC, to new: CVC) throws(TapError) {
        try send(ChangeCommand(newCVC: new), cvc: old)
        trials.forget()
    }
}
