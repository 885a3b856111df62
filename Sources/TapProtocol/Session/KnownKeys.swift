import Bitcoin

/// Keys of one card that verified responses have shown. A later response that contradicts them is a failed proof.
struct KnownKeys: Sendable, Equatable {
    private var keys: [DerivationPath: PublicKey] = [:]
    private var extendedKeys: [DerivationPath: ExtendedPublicKey] = [:]
    private var slotKeys: [SlotNumber: PublicKey] = [:]
    private var slotOrigins: [SlotNumber: SlotOrigin] = [:]

    /// The key at a path below the master key, if it is known or can be derived from a known extended key.
    func publicKey(at path: DerivationPath) -> PublicKey? {
        if let key = keys[path] ?? extendedKeys[path]?.publicKey { return key }
        guard let split = path.splitAtFirstNormalStep, !split.normal.steps.isEmpty else { return nil }
        return try? extendedKeys[split.hardened]?.descendant(split.normal).publicKey
    }

    /// The extended key at a path, if it is known.
    func extendedKey(at path: DerivationPath) -> ExtendedPublicKey? { extendedKeys[path] }

    mutating func learn(_ key: PublicKey, at path: DerivationPath) { keys[path] = key }

    mutating func learn(_ key: ExtendedPublicKey, at path: DerivationPath) { extendedKeys[path] = key }

    /// The key of a SATSCARD's slot, if it is known.
    func slotKey(_ slot: SlotNumber) -> PublicKey? { slotKeys[slot] }

    /// What a SATSCARD slot's key is derived from, if it is known.
    func slotOrigin(_ slot: SlotNumber) -> SlotOrigin? { slotOrigins[slot] }

    mutating func learn(_ key: PublicKey, of slot: SlotNumber) { slotKeys[slot] = key }

    mutating func learn(_ origin: SlotOrigin, of slot: SlotNumber) { slotOrigins[slot] = origin }
}
