import Bitcoin

/// Proofs that hold against whoever rewrites what passes between host and card.
extension TapSession {
    /// Proves that the card, at its present path, holds an extended key: the key and its chain code. Nothing else proves an
    /// account, so this comes before anything is believed of one. The path itself is not proven: no command can.
    ///
    /// Wire: `sign` over 32 random bytes, two random unhardened steps below the key. Auth: CVC. Repeats error 205.
    /// - Parameter account: what the card, or somebody in its name, says to be its extended key.
    /// - Throws: `TapError.badProof(.account)`; `.card(205)` when luck runs out; `.wrongCVC`, ….
    ///
    /// Spec: protocol, "Who can forge what" (the probe).
    public func probe(_ account: ExtendedPublicKey, cvc: CVC) throws(TapError) {
        try requireProduct(in: CardProduct.signers, for: ProbeCommand.self)
        let subpath = DerivationPath(
            (0..<ProbeCommand.subpathSteps).map { _ in
                ChildNumber(rawValue: UInt32.random(in: 0...0x7FFF_FFFF, using: &random))
            })
        let key: PublicKey
        do { key = try account.descendant(subpath).publicKey } catch {
            throw .badProof(.account, detail: "nothing can be derived from the account's extended key")
        }
        _ = try send(ProbeCommand(.account(subpath: subpath, key: key), using: &random), cvc: cvc)
    }

    /// Proves which key an opened slot has, without taking it out.
    ///
    /// Wire: `sign` over 32 random bytes. Auth: CVC. Repeats error 205.
    /// - Parameter address: the slot's, as somebody said; `nil`: it is not known.
    /// - Returns: the slot's address.
    /// - Throws: `TapError.badProof` for `.openedSlot`, `.slotKey`; `.card` for a slot that was not opened; `.wrongCVC`, ….
    ///
    /// Spec: protocol, "Who can forge what" (the probe).
    @discardableResult
    public func probe(_ slot: SlotNumber, at address: Address? = nil, cvc: CVC) throws(TapError) -> Address {
        try requireProduct(in: [.satscard], for: ProbeCommand.self)
        let key = try send(ProbeCommand(.slot(slot, address), using: &random), cvc: cvc).publicKey
        guard let proven = status.slotAddress(of: key) else {
            throw .badProof(.openedSlot, detail: "the key of slot \(slot) has no address")
        }
        knownKeys.learn(key, of: slot)
        return proven
    }
}
