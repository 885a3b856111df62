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

    /// Proves that the card holds the key it names, and finds out which root its certificates lead to.
    ///
    /// Wire: `read` (SATSCARD with a used slot), `check`, `certs`.
    /// - Parameter customRoots: roots that are accepted beside the maker's, such as a simulator's.
    /// - Returns: the verdict. An unknown root is a verdict and not an error: what to do about it is the caller's choice.
    /// - Throws: `TapError.badProof` for `.cardKey`, `.certificateChain`, and those of `read`.
    ///
    /// Spec: protocol, "What must be verified, always" (`check`, `certs`).
    public func verifyCertificates(customRoots: [PublicKey]) throws(TapError) -> CertificateVerdict {
        _ = try send(CheckCommand(slotKey: try sealedSlotKey()))
        let chain = try send(CertsCommand())
        return CertificateVerdict(root: try chain.root(from: status.publicKey), customRoots: customRoots)
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
    private func sealedSlotKey() throws(TapError) -> PublicKey? {
        guard status.product == .satscard, status.address != nil else { return nil }
        return try send(ReadCommand()).publicKey
    }
}
