import Bitcoin

/// What changes a card for good.
extension TapSession {
    /// Lets the card pick its master key, once for ever. That our chain code went into it is proven at
    /// `m`: by `setPath` there, whose chain code must be ours, and `probe`.
    ///
    /// Wire: `new`, `status`. Auth: CVC. Interrupted behind `new`, `status.path` is there.
    /// - Parameter chainCode: 32 bytes of our own randomness.
    /// - Throws: `TapError.badProof(.path)`; `.card` (405, 406) when the card has a key already; `.wrongCVC`, ….
    public func createKey(chainCode: ChainCode, cvc: CVC) throws(TapError) {
        try requireProduct(in: CardProduct.signers, for: NewCommand.self)
        _ = try send(NewCommand(chainCode: chainCode), cvc: cvc)
        knownKeys = KnownKeys()
        guard try refreshStatus().isSetUp else {
            throw .badProof(.path, detail: "the card has no path after it picked a key")
        }
    }

    /// The encrypted backup, 1–65 535 bytes. Each one counts in `status`; the same key gives the same file but for the
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

    /// Gives the card a new CVC.
    ///
    /// Wire: `change`. Auth: CVC. Interrupted, the card has either of the two: see protocol, "Interruptions". Whoever
    /// listens learns how the two differ, digit by digit, as far as the old one is long; and with one of them the other.
    /// - Throws: `TapError.card` (425) before the first backup, `.wrongCVC`, ….
    public func changeCVC(from old: CVC, to new: CVC) throws(TapError) {
        try send(ChangeCommand(newCVC: new), cvc: old)
        trials.forget()
    }
}
