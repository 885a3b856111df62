import Bitcoin

/// A SATSCARD's slots.
extension TapSession {
    /// Proves what the active slot's key is derived from: the last proof of its address.
    ///
    /// Wire: `derive`. Auth: none.
    /// - Parameter chainCode: the one that was supplied when the slot was set up, if the caller knows it.
    /// - Throws: `TapError.badProof` for `.deriveSignature`, `.masterKey`, `.chainCode` (the card picked its own), ….
    ///
    /// Spec: protocol, "What must be verified, always" (`derive` SC).
    @discardableResult
    public func proveSlotOrigin(chainCode: ChainCode? = nil) throws(TapError) -> SlotOrigin {
        let origin = try send(SlotDeriveCommand()).origin
        if let chainCode, chainCode != origin.chainCode {
            throw .badProof(.chainCode, detail: "the slot's chain code is not the one we supplied")
        }
        if let slot = status.activeSlot { knownKeys.learn(origin, of: slot) }
        return origin
    }

    /// What a slot's key is derived from, if `proveSlotOrigin` has shown it in this session.
    public func slotOrigin(_ slot: SlotNumber) -> SlotOrigin? { knownKeys.slotOrigin(slot) }

    /// Lets the card pick a key for its next slot. `proveCard` and `proveSlotOrigin` prove the result.
    ///
    /// Wire: `new`, `status`. Auth: CVC. If interrupted after `new`, `status.address` is set.
    /// - Parameter chainCode: random, our own.
    /// - Throws: `TapError.card` if the active slot is in use or the card is full; `.badProof(.slotState)` if the slot has
    ///   no address afterwards; `.wrongCVC`, ….
    public func createSlotKey(chainCode: ChainCode, cvc: CVC) throws(TapError) {
        try requireProduct(in: [.satscard], for: NewCommand.self)
        try ensureCurrentStatus()
        guard let slot = status.activeSlot, status.address == nil else {
            throw NewCommand.invalid("the active slot is in use, or no slot is left")
        }
        try send(NewCommand(slot: slot, chainCode: chainCode), cvc: cvc)
        guard try refreshStatus().activeSlot == slot, status.address != nil else {
            throw .badProof(.slotState, detail: "slot \(slot) has no address after the card picked a key for it")
        }
    }

    /// Takes the active slot's key out of the card, permanently. The next slot then becomes active, except after the last.
    ///
    /// Wire: `unseal`. Auth: CVC. If interrupted, `dump` with the CVC shows the key.
    /// - Returns: the slot's keys, checked against each other, its address, and what is known about the slot.
    /// - Throws: `TapError.badProof` for `.openedKey`, `.address`, `.slotKey`, `.masterKey`, `.chainCode`; `.card` if the
    ///   slot is not sealed; `.wrongCVC`, ….
    ///
    /// Spec: protocol, "Commands" and "What must be verified, always".
    public func unseal(cvc: CVC) throws(TapError) -> OpenedSlot {
        try requireProduct(in: UnsealCommand.products, for: UnsealCommand.self)
        try ensureCurrentStatus()
        guard let slot = status.activeSlot, status.address != nil else {
            throw .invalidArgument(command: UnsealCommand.name, problem: "the active slot is unused, or there is none")
        }
        let opened = try send(UnsealCommand(slot: slot), cvc: cvc)
        knownKeys.learn(opened.publicKey, of: slot)
        if status.mayHaveOpened(slot) {
            // How a full card counts its slots depends on the version: only the card knows.
            nonce = .unknown
        } else {
            status.moveToSlotBehind(slot)
        }
        return opened
    }

    /// The content of a slot; with the CVC, the keys of an unsealed one.
    ///
    /// Wire: `dump`. Auth: none, or CVC.
    /// - Throws: `TapError.badProof` for `.slotState`, `.address`, `.slotKey`, and with the CVC `.openedKey`, `.masterKey`;
    ///   `.invalidArgument` for a slot that the card does not have; `.wrongCVC`, ….
    ///
    /// Spec: protocol, "Commands" and "Interruptions" (`unseal`).
    public func dump(_ slot: SlotNumber, cvc: CVC? = nil) throws(TapError) -> SlotContent {
        try requireProduct(in: DumpCommand.products, for: DumpCommand.self)
        try ensureCurrentStatus()
        guard let slots = status.slots, (0..<slots.total).contains(slot.index) else {
            throw .invalidArgument(command: DumpCommand.name, problem: "the card has no slot \(slot)")
        }
        let content = try send(DumpCommand(slot: slot), cvc: cvc)
        if case .opened(let opened) = content { knownKeys.learn(opened.publicKey, of: slot) }
        return content
    }

    /// Signs a digest with the key of an unsealed slot.
    ///
    /// Wire: `sign`. Auth: CVC. Repeats error 205 (about 1 in 8) up to 10 times.
    /// - Parameters:
    ///   - digest: 32 bytes, already hashed; hidden with the session key on the wire.
    ///   - slot: an unsealed slot.
    ///   - address: the slot's address, as `dump` gives it.
    /// - Returns: low S, verified against `digest`; the key belongs to `address`, so this proves that the card holds it.
    /// - Throws: as `sign(digest:subpath:cvc:)`.
    public func sign(
        digest: Digest, slot: SlotNumber, address: Address, cvc: CVC
    ) throws(TapError) -> CardSignature {
        try send(SlotSignCommand(digest: digest, slot: slot, address: address), cvc: cvc)
    }
}

extension CardStatus {
    /// Records that a slot other than the last was unsealed: the next one is active and unused.
    fileprivate mutating func moveToSlotBehind(_ slot: SlotNumber) {
        guard let slots else { return }
        self.slots = Slots(active: slot.index + 1, total: slots.total)
        address = nil
    }
}
