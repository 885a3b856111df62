import Bitcoin

/// What a card tells and proves of itself.
extension TapSession {
    /// Asks the card for its status.
    ///
    /// Wire: `status`. Verified: the same key and the same constant facts as before.
    /// - Throws: `TapError.anotherCard`, `.badProof(.constantFacts)`, `.badResponse`, `.reader`, ….
    @discardableResult
    public func refreshStatus() throws(TapError) -> CardStatus {
        status = try send(StatusCommand())
        return status
    }

    /// Asks for the status where another program may have changed the card since the last one, so that what the card does
    /// next is judged by what it is now.
    func ensureCurrentStatus() throws(TapError) {
        if case .current = nonce { return }
        try refreshStatus()
    }

    /// Proves that the card holds the key it names, finds out which root its certificates lead to, and proves a
    /// SATSCARD's active slot. Certificates that led to a root once in this session are not asked for again.
    ///
    /// Wire: `read` (SATSCARD with a used slot), `check`, `certs`. Auth: none.
    /// - Parameter customRoots: roots that are accepted beside the maker's, such as a simulator's.
    /// - Returns: the verdict. An unknown root is a verdict and not an error: what to do about it is the caller's choice.
    /// - Throws: `TapError.badProof` for `.cardKey`, `.certificateChain`, `.slotKey`, and those of `read`.
    ///
    /// Spec: protocol, "What must be verified, always" (`check`, `certs`, `read`).
    public func proveCard(customRoots: [PublicKey]) throws(TapError) -> CardProof {
        // A status that may be out of date would lead to the wrong slot.
        if case .unknown = nonce { try refreshStatus() }
        let slotKey = try activeSlotKey()
        let seal = try send(CheckCommand(slotKey: slotKey)).seal
        let verdict = CertificateVerdict(root: try provenRoot(), customRoots: customRoots)
        return CardProof(verdict: verdict, activeSlot: activeSlot(key: slotKey, seal: seal))
    }

    /// The link that the card shows to a telephone: printable ASCII, at most 255 characters, not verified.
    ///
    /// Wire: `nfc`.
    /// - Throws: `TapError.badResponse`, ….
    public func tapURL() throws(TapError) -> String { try send(NFCCommand()) }

    /// Passes one second of the security delay.
    ///
    /// Wire: `wait`. Auth: none or CVC.
    /// - Returns: the seconds that are left; 0 when the next CVC may be tried.
    /// - Throws: `TapError.badResponse`, `.wrongCVC`, ….
    @discardableResult
    public func wait(cvc: CVC? = nil) throws(TapError) -> Int {
        status.authDelaySeconds = try send(WaitCommand(), cvc: cvc)
        return status.authDelaySeconds
    }

    /// The key of the active slot, if that is a used one of a SATSCARD.
    private func activeSlotKey() throws(TapError) -> PublicKey? {
        guard status.product == .satscard else { return nil }
        try ensureCurrentStatus()
        guard status.address != nil else { return nil }
        return try read()
    }

    private func activeSlot(key: PublicKey?, seal: ActiveSlot.Seal) -> ActiveSlot? {
        guard let key, let slot = status.activeSlot, let address = status.slotAddress(of: key) else { return nil }
        return ActiveSlot(slot: slot, publicKey: key, address: address, seal: seal)
    }

    /// The root to which the card's certificates lead, asked for once in a session: its key does not change.
    private func provenRoot() throws(TapError) -> PublicKey {
        if let certifiedRoot { return certifiedRoot }
        let root = try send(CertsCommand()).root(from: status.publicKey)
        certifiedRoot = root
        return root
    }
}
