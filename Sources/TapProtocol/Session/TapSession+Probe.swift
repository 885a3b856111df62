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
        let command = try ProbeCommand(.account(subpath: subpath, key: key), using: &random)
        do throws(TapError) { _ = try send(command, cvc: cvc) } catch {
            // What was said of the card's keys so far was no word of the card's: it is held against no later answer.
            if case .badProof = error { knownKeys = KnownKeys() }
            throw error
        }
    }

    /// Proves that the card holds the key of an opened slot's address, without taking it out. Which of its opened slots that
    /// is stays the card's word.
    ///
    /// Wire: `sign` over 32 random bytes. Auth: CVC. Repeats error 205.
    /// - Parameter address: what `dump` says.
    /// - Throws: `TapError.badProof` for `.openedSlot`, `.slotKey`; `.card` for a slot that was not opened; `.wrongCVC`, ….
    ///
    /// Spec: protocol, "Who can forge what" (the probe).
    public func probe(_ slot: SlotNumber, at address: Address, cvc: CVC) throws(TapError) {
        try requireProduct(in: [.satscard], for: ProbeCommand.self)
        let command = try ProbeCommand(.slot(slot, address), using: &random)
        knownKeys.learn(try send(command, cvc: cvc).publicKey, of: slot)
    }
}
