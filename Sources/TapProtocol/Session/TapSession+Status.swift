import Bitcoin

/// What a card reports and proves about itself.
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

    /// Fetches the status if another program may have changed the card since the last one, so that what the card does next
    /// is judged by its present state.
    func ensureCurrentStatus() throws(TapError) {
        if case .current = nonce { return }
        try refreshStatus()
    }

    /// Proves that the card holds the key it names, finds the root that its certificates lead to, and proves a SATSCARD's
    /// active slot. Certificates are requested only once in a session.
    ///
    /// If another program unsealed or set up a slot since the last step, the proofs are requested once more, for the slot
    /// that is then active.
    ///
    /// Wire: `read` (SATSCARD with a used slot), `check`, `certs`. Auth: none.
    /// - Parameter customRoots: roots accepted in addition to the maker's, such as a simulator's.
    /// - Returns: the verdict. An unknown root is a verdict, not an error: the caller decides what to do about it.
    /// - Throws: `TapError.badProof` for `.cardKey`, `.certificateChain`, `.slotKey`, and those of `read`.
    ///
    /// Spec: protocol, "What must be verified, always" (`check`, `certs`, `read`).
    public func proveCard(customRoots: [PublicKey]) throws(TapError) -> CardProof {
        // An outdated status would lead to the wrong slot.
        if case .unknown = nonce { try refreshStatus() }
        let seen = status
        let isFresh = if case .current = nonce { true } else { false }
        do throws(TapError) {
            let proof = try proof(customRoots)
            if status.hasSameSlots(as: seen) { return proof }
        } catch {
            // After a failed proof with an old nonce, `status` has been asked already.
            if status.hasSameSlots(as: seen), !isFresh, error.isRefusalInThisState { try refreshStatus() }
            guard !status.hasSameSlots(as: seen), error.mayComeOfOldStatus else { throw error }
        }
        let renewed = status
        let proof = try proof(customRoots)
        guard status.hasSameSlots(as: renewed) else {
            throw .badProof(.slotState, detail: "the card's slots change from one response to the next")
        }
        return proof
    }

    /// The root that the card's certificates lead to. This does not prove that the card holds the certified key: `proveCard`
    /// does, and does not ask for the certificates again in this session.
    ///
    /// Wire: `certs`. Auth: none.
    /// - Throws: `TapError.badProof(.certificateChain)`, `.badResponse`, `.reader`, ….
    package func claimedRoot() throws(TapError) -> PublicKey { try provenRoot() }

    /// The link that the card shows to a phone: printable ASCII, at most 1 024 characters, not verified.
    ///
    /// Wire: `nfc`.
    /// - Throws: `TapError.badResponse`, ….
    public func tapURL() throws(TapError) -> String { try send(NFCCommand()) }

    /// Uses up one second of the lockout.
    ///
    /// Wire: `wait`; `status` if the response does not say how much is left. Auth: none or CVC.
    /// - Returns: the seconds left, according to the card; 0 if the next CVC can be tried.
    /// - Throws: `TapError.badResponse`, `.wrongCVC`, ….
    @discardableResult
    public func wait(cvc: CVC? = nil) throws(TapError) -> Int {
        guard let seconds = try send(WaitCommand(), cvc: cvc) else { return try refreshStatus().authDelaySeconds }
        status.authDelaySeconds = seconds
        return seconds
    }

    private func proof(_ customRoots: [PublicKey]) throws(TapError) -> CardProof {
        let slotKey = try activeSlotKey()
        let seal = try send(CheckCommand(slotKey: slotKey)).seal
        let verdict = CertificateVerdict(root: try provenRoot(), customRoots: customRoots)
        return CardProof(status: status, verdict: verdict, activeSlot: activeSlot(key: slotKey, seal: seal))
    }

    /// The key of the active slot, if it is a used slot of a SATSCARD. `proveCard` detects an outdated status, which saves a
    /// `status` when it is current.
    private func activeSlotKey() throws(TapError) -> PublicKey? {
        guard status.product == .satscard, status.address != nil else { return nil }
        return try read()
    }

    private func activeSlot(key: PublicKey?, seal: ActiveSlot.Seal) -> ActiveSlot? {
        guard let key, let slot = status.activeSlot, let address = status.slotAddress(of: key) else { return nil }
        return ActiveSlot(slot: slot, publicKey: key, address: address, seal: seal)
    }

    /// The root that the card's certificates lead to, requested once per session: the card's key does not change.
    private func provenRoot() throws(TapError) -> PublicKey {
        if let certifiedRoot { return certifiedRoot }
        let root = try send(CertsCommand()).root(from: status.publicKey)
        certifiedRoot = root
        return root
    }
}

extension CardStatus {
    /// Whether a SATSCARD names the same active slot with the same address.
    fileprivate func hasSameSlots(as other: CardStatus) -> Bool { slots == other.slots && address == other.address }
}

extension TapError {
    /// Whether the card may report or prove this because its state has changed since its last status.
    fileprivate var mayComeOfOldStatus: Bool {
        if case .badProof = self { true } else { isRefusalInThisState }
    }

    fileprivate var isRefusalInThisState: Bool {
        if case .card(let refusal, _) = self { refusal.kind == .invalidState } else { false }
    }
}
