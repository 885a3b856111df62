import Bitcoin

/// The private keys in the responses to `unseal` and `dump`.
///
/// Spec: protocol, "Authentication" (what is hidden) and "What must be verified, always".
extension OpenedSlot {
    /// Parses and proves the keys. Implementations differ on whether `master_pk` is hidden too: the reading under which
    /// the slot's key is `m/0` counts.
    /// - Throws: `TapError.badProof` for `.openedKey`, `.slotKey`, `.masterKey`; `.badResponse`.
    init(slot: SlotNumber, fields: ResponseFields, in exchange: Exchange) throws(TapError) {
        let named = fields.has("pubkey") ? try fields.publicKey("pubkey") : nil
        if named == nil { fields.note("`pubkey` is missing") }
        guard let sessionKey = exchange.sessionKey,
            let privateKey = sessionKey.revealedKey(try fields.bytes("privkey", count: PrivateKey.length)),
            named ?? privateKey.publicKey == privateKey.publicKey
        else {
            throw .badProof(.openedKey, detail: "the private key of slot \(slot) does not belong to its public key")
        }
        let publicKey = privateKey.publicKey
        guard exchange.knownKeys.slotKey(slot) ?? publicKey == publicKey,
            let address = exchange.card.slotAddress(of: publicKey)
        else { throw .badProof(.slotKey, detail: "the key of slot \(slot) is not the one the card gave before") }
        let chainCode = try fields.chainCode()
        var hidden = try fields.bytes("master_pk", count: PrivateKey.length)
        defer { hidden.wipe() }
        let readings = [(sessionKey.revealedKey(hidden), false), (try? PrivateKey(SecretBytes(hidden)), true)]
        let reading = readings.lazy.compactMap { key, isPlain in key.map { ($0, isPlain) } }.first {
            SlotDerivation.publicKey(master: $0.0.publicKey, chainCode: chainCode) == publicKey
        }
        guard let (master, wasExposed) = reading else {
            throw .badProof(
                .masterKey, detail: "the key of slot \(slot) is not m/0 of its master key and chain code")
        }
        if let origin = exchange.knownKeys.slotOrigin(slot), origin.chainCode != chainCode {
            throw .badProof(.chainCode, detail: "the chain code of slot \(slot) is not the one the card gave before")
        }
        self.init(
            slot: slot, privateKey: privateKey, publicKey: publicKey, address: address, masterKey: master,
            chainCode: chainCode, network: exchange.card.keyNetwork, isTampered: try fields.optionalFlag("tampered"),
            wasExposed: wasExposed)
    }
}

extension SessionKey {
    /// A private key that the card has hidden; `nil` if the revealed bytes are not a key.
    fileprivate func revealedKey(_ bytes: [UInt8]) -> PrivateKey? {
        var revealed = hidden(bytes)
        return try? PrivateKey(SecretBytes(moving: &revealed))
    }
}
