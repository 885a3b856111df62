import Bitcoin

/// Secrets: for the card's owner, on request.
extension SimulatedCardRecord {
    /// The current CVC. Bytes that are not UTF-8 are shown as hexadecimal.
    public var cvc: String {
        state.cvc.bytes.withBytes { String(validating: $0, as: UTF8.self) } ?? state.cvc.hexadecimal
    }

    /// The key that a TAPSIGNER's backups are encrypted with, 32 hexadecimal digits; `nil` on other products.
    public var aesKey: String? {
        if case .tapsigner(let signer) = state.content { signer.aesKey.hexadecimal } else { nil }
    }

    /// A signer's master key as `xprv…` or `tprv…`; `nil` before setup and on a SATSCARD.
    public var masterKey: String? {
        get throws(SimulatedCardError) {
            guard state.signerKey != nil else { return nil }
            return try readable { () throws(CardFault) in try state.masterKey().text }
        }
    }

    /// The private keys of a SATSCARD's slots as 64 hexadecimal digits, `nil` for unused slots; `nil` on other products.
    public var slotKeys: [String?]? {
        get throws(SimulatedCardError) {
            guard case .satscard(let content) = state.content else { return nil }
            return try readable { () throws(CardFault) in
                var keys: [String?] = []
                for slot in content.slots {
                    keys.append(
                        try slot.key.map { (key) throws(CardFault) in
                            StoredSecret(try key.slotKey(state.network).secret).hexadecimal
                        })
                }
                return keys
            }
        }
    }
}
