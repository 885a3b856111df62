import Bitcoin

/// Proofs that hold against an attacker who alters what passes between host and card.
extension TapSession {
    /// Proves that the card, at its present path, holds an extended key: the key and its chain code. Nothing else proves an
    /// account, so nothing about it is believed before this. The path itself is not proven: no command can do that.
    ///
    /// Wire: `sign` over 32 random bytes, two random unhardened steps below the key. Auth: CVC. Repeats error 205.
    /// - Parameter account: the extended key that the card, or someone in its place, claims to hold.
    /// - Throws: `TapError.badProof(.account)`; `.card(205)` if all repeats are unlucky; `.wrongCVC`, ….
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
            throw .badProof(.account, detail: "no key can be derived from the account's extended key")
        }
        let command = try ProbeCommand(.account(subpath: subpath, key: key), using: &random)
        do throws(TapError) { _ = try send(command, cvc: cvc) } catch {
            // What was reported about the keys so far was not from the card, so later responses are not judged by it.
            if case .badProof = error { knownKeys = KnownKeys() }
            throw error
        }
    }

    /// Proves that the card holds the key of an unsealed slot's address, without revealing it. Which of its unsealed slots
    /// that is remains the card's claim.
    ///
    /// Wire: `sign` over 32 random bytes. Auth: CVC. Repeats error 205.
    /// - Parameter address: what `dump` reports.
    /// - Throws: `TapError.badProof` for `.openedSlot`, `.slotKey`; `.card` for a slot that is not unsealed; `.wrongCVC`, ….
    ///
    /// Spec: protocol, "Who can forge what" (the probe).
    public func probe(_ slot: SlotNumber, at address: Address, cvc: CVC) throws(TapError) {
        try requireProduct(in: [.satscard], for: ProbeCommand.self)
        let command = try ProbeCommand(.slot(slot, address), using: &random)
        knownKeys.learn(try send(command, cvc: cvc).publicKey, of: slot)
    }
}
