import Bitcoin
import ByteCodec

extension SimulatedCardState {
    /// A signer card's master key.
    /// - Throws: `CardFault.invalidState` before `new`.
    func masterKey() throws(CardFault) -> ExtendedPrivateKey {
        guard let signerKey else { throw .invalidState }
        return try signerKey.master.master(network)
    }

    /// The key at a signer card's path, or below it.
    /// - Throws: `CardFault.invalidState` before `new`.
    func derivedKey(below subpath: [UInt32] = []) throws(CardFault) -> ExtendedPrivateKey {
        guard let signerKey else { throw .invalidState }
        return try signerKey.master.descendant(signerKey.path + subpath, network)
    }
}

extension PickedKey {
    /// A SATSCARD slot's own key: always `m/0`.
    func slotKey(_ network: SimulatedNetwork) throws(CardFault) -> PrivateKey {
        try descendant([0], network).privateKey
    }

    /// A SATSCARD slot's own key and the master key above it.
    func secrets(_ network: SimulatedNetwork) throws(CardFault) -> (slotKey: PrivateKey, masterKey: PrivateKey) {
        (try slotKey(network), try master(network).privateKey)
    }
}

extension SimulatedCardState {
    /// What a card does when it detects tampering: it reports it forever, and a SATSCARD unseals its sealed slot.
    ///
    /// Spec: the maker's protocol text, `dump`, `tampered`.
    mutating func tamper() {
        isTampered = true
        guard case .satscard(var slots) = content, let key = slots.sealedKey else { return }
        let slot = slots.firstUnopened
        slots.slots[slot] = .unsealed(key)
        slots.selfOpenedSlots.insert(slot)
        content = .satscard(slots)
    }
}

extension SatscardState {
    /// The slot that `status` reports as active. A full card reports the last slot or the one after it.
    func activeSlot(_ version: AppletVersion) -> Int {
        version.fullCardPointsPastTheEnd ? firstUnopened : min(firstUnopened, slots.count - 1)
    }

    /// A slot's key; `nil` for an unused slot and for a number out of range.
    func key(at slot: Int) -> PickedKey? { slots.indices.contains(slot) ? slots[slot].key : nil }

    /// The key of the sealed slot, if there is one. `status`, `read` and `derive` use no other: on a full card whose
    /// active slot is still the last one they behave as if it were unused.
    ///
    /// Spec: the maker's protocol text, `status`; its list of limitations, "last slot issue".
    var sealedKey: PickedKey? {
        guard slots.indices.contains(firstUnopened) else { return nil }
        return slots[firstUnopened].key
    }
}

/// A slot's P2WPKH address.
///
/// Spec: BIP-173; protocol, "Commands", `status`.
struct SlotAddress: Sendable, Equatable {
    /// The whole address, for example `bc1q…`.
    let text: String

    init(_ key: PrivateKey, _ network: SimulatedNetwork) {
        let program = Bech32.fiveBitValues(of: key.publicKey.hash160)
        text = Bech32.encode(
            humanReadablePart: network == .main ? "bc" : "tb", values: [0] + program, variant: .bech32)
    }

    /// Twelve characters from each end with three underscores between them, as `status` shows it.
    var trimmed: String { "\(text.prefix(12))___\(text.suffix(12))" }
}
